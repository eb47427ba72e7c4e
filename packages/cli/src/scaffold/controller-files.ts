/** The names that a scaffold is made of. They are checked before. */
export interface ControllerNames {
  readonly name: string;
  readonly group: string;
  readonly kind: string;
  /** The platform that serves the client. */
  readonly url: string;
}

/** The files of a new controller, by their paths. */
export function controllerFiles({
  name,
  group,
  kind,
  url,
}: ControllerNames): Readonly<Record<string, string>> {
  const plural = `${kind.toLowerCase()}s`;
  return {
    'package.json': `${JSON.stringify(
      {
        name,
        private: true,
        type: 'module',
        scripts: {
          build: 'tsc',
          start: 'tsc && node dist/src/main.js',
          test: 'tsc && node --test dist/test/controller.test.js',
        },
        dependencies: { 'platform-service-client': `${url}/downloads/client.tgz` },
        devDependencies: { '@types/node': '^20.19.0', typescript: '>=5.4' },
      },
      null,
      2,
    )}\n`,
    'tsconfig.json': `${JSON.stringify(
      {
        compilerOptions: {
          strict: true,
          target: 'es2022',
          lib: ['es2023'],
          module: 'nodenext',
          types: ['node'],
          rootDir: '.',
          outDir: 'dist',
        },
        include: ['src', 'test'],
      },
      null,
      2,
    )}\n`,
    '.gitignore': 'dist/\nnode_modules/\n',
    'resources/kind.yaml': `apiVersion: platform.dev/v1alpha1
kind: ResourceDefinition
metadata: { name: ${plural}.${group} }
spec:
  group: ${group}
  kind: ${kind}
  plural: ${plural}
  versions:
    - name: v1
      served: true
      storage: true
      schema:
        type: object
        required: [name]
        properties: { name: { type: string } }
`,
    'resources/example.yaml': `apiVersion: ${group}/v1\nkind: ${kind}\nmetadata: { name: first }\nspec: { name: World }\n`,
    'src/controller.ts': `import type { ReconcileOptions } from 'platform-service-client';

/** \`platform types\` prints this for kinds that are registered. */
export interface ${kind}Spec {
  name: string;
}

export interface ${kind}Status {
  observedGeneration: number;
  says: string;
}

/** The controller. Its work must be idempotent: it may be called again for the same state. */
export const controller: Pick<ReconcileOptions<${kind}Spec, ${kind}Status>, 'controller' | 'kind' | 'reconcile'> = {
  controller: '${name}.${group}',
  kind: { group: '${group}', version: 'v1', plural: '${plural}' },
  async reconcile({ metadata, spec }) {
    return { status: { observedGeneration: metadata.generation, says: \`Hello, \${spec.name}!\` } };
  },
};
`,
    'src/main.ts': `import { createClient, reconcile } from 'platform-service-client';
import { controller } from './controller.js';

const { PLATFORM_URL = '${url}', PLATFORM_TOKEN = '' } = process.env;
const stopping = new AbortController();
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => stopping.abort());

await reconcile({
  ...controller,
  reader: createClient({ baseUrl: PLATFORM_URL, token: PLATFORM_TOKEN }),
  onError: (error, resource) => console.error(resource?.metadata.name ?? '', String(error)),
  signal: stopping.signal,
});
`,
    'test/controller.test.ts': `import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createClient, fakeEvents, type Resource, reconcile } from 'platform-service-client';
import { controller, type ${kind}Spec } from '../src/controller.js';

const resource: Resource<${kind}Spec> = {
  apiVersion: '${group}/v1',
  kind: '${kind}',
  metadata: {
    name: 'first',
    uid: '0190a5c2-5f0e-7cc3-98c4-dc0c0c07398f',
    revision: 1,
    generation: 1,
    discriminator: 'aaaaaaaa',
    ancestors: [],
    creationTimestamp: '2030-01-01T00:00:00.000Z',
    labels: {},
    annotations: {},
    finalizers: [],
    ownerReferences: [],
  },
  spec: { name: 'World' },
  status: { controllers: {} },
};

test('writes what it says into the status', { timeout: 10_000 }, async () => {
  const stopping = new AbortController();
  const written: unknown[] = [];
  // Stands in for the platform: takes the status, which is the only request of this controller.
  const fetch = async (_url: unknown, init?: { body?: unknown }) => {
    written.push(JSON.parse(String(init?.body)));
    stopping.abort();
    return new Response(JSON.stringify(resource), { headers: { 'content-type': 'application/json' } });
  };
  await reconcile({
    ...controller,
    reader: createClient({ baseUrl: 'http://platform.test', fetch: fetch as typeof globalThis.fetch }),
    events: fakeEvents([resource]).source,
    signal: stopping.signal,
  });
  assert.deepEqual(written, [{ status: { observedGeneration: 1, says: 'Hello, World!' } }]);
});
`,
    'README.md': `# ${name}

A controller for the kind ${kind}, made by \`platform new controller\`.

    npm install
    npm test
    platform apply -f resources/
    PLATFORM_TOKEN=$(platform token show) npm start
    platform get ${plural} -o yaml
`,
  };
}
