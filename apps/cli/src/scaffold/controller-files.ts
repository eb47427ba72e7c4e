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
import { readFileSync } from 'node:fs';
import { after, before, test } from 'node:test';
import { reconcile } from 'platform-service-client';
import { startTestPlatform, type TestPlatform } from 'platform-service-client/testing';
import { controller, type ${kind}Spec, type ${kind}Status } from '../src/controller.js';

// A platform in this process. It needs no database, and forgets everything when it is closed.
let platform: TestPlatform;
let running: Promise<void>;
const stopping = new AbortController();

before(async () => {
  platform = await startTestPlatform();
  await platform.define(readFileSync('resources/kind.yaml', 'utf8'));
  running = reconcile({ ...controller, reader: platform.operator, signal: stopping.signal });
});

after(async () => {
  stopping.abort();
  await running;
  await platform.close();
});

const resources = () => platform.operator.resources<${kind}Spec, ${kind}Status>(controller.kind);
const create = (name: string, spec: ${kind}Spec) =>
  resources().create({ apiVersion: '${group}/v1', kind: '${kind}', metadata: { name }, spec });

/** Waits for the status of a generation. */
const statusOf = (name: string, generation: number) =>
  platform.until(async () => {
    const status = (await resources().get(name)).status.controllers[controller.controller];
    return status?.observedGeneration === generation ? status : undefined;
  });

test('writes what it says into the status, and follows changes', { timeout: 10_000 }, async () => {
  await create('first', { name: 'World' });
  assert.equal((await statusOf('first', 1)).says, 'Hello, World!');
  await resources().update('first', ({ spec }) => {
    spec.name = 'moon';
  });
  assert.equal((await statusOf('first', 2)).says, 'Hello, moon!');
});

test('the schema requires a name', async () => {
  await assert.rejects(create('nameless', {} as ${kind}Spec), { code: 'schema_violation' });
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
