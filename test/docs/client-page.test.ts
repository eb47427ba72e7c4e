import { execFile, spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { WholeApi } from '@platform/api/testing';
import { build } from 'esbuild';
import { readFences } from './shell-page.ts';

const root = fileURLToPath(new URL('../../', import.meta.url));
const api = new WholeApi();
let directory: string;
beforeAll(() => {
  // Below the package, so that its dependencies are found.
  directory = mkdtempSync(join(root, 'test/docs/node_modules/.client-page-'));
});
afterAll(() => rmSync(directory, { recursive: true }));

// The parts that the page leaves to its reader: the work of the controller, and how it is stopped.
const before = `
import type { PlatformClient, Resource } from 'platform-service-client';
const stopping = new AbortController();
const { signal } = stopping;
const done: string[] = [];
const build = async (ancestors: readonly string[], widget: Resource, _: AbortSignal) => {
  done.push(\`built \${[...ancestors, widget.metadata.name].join('/')}\`);
  await inShop.delete(widget.metadata.name);
};
const tearDown = async (widget: Resource) => {
  done.push(\`tore down \${widget.metadata.name}\`);
  stopping.abort();
};
`;
const beforeController = `
const [reader, writer]: PlatformClient[] = [client, client] as const;
await inShop.create({ apiVersion: 'example.dev/v1', kind: 'Widget', metadata: { name: 'w2' }, spec: { size: 1 } });
`;
const after = 'console.log(JSON.stringify(done));';

/** The \`ts\` blocks of the page as one program that talks to the API of this test. */
function programOf(page: string): string {
  const blocks = readFences(page).filter(({ language }) => language === 'ts');
  const parts = blocks.map(({ content }) =>
    content.includes('await reconcile') ? beforeController + content : content,
  );
  return [before, ...parts, after].join('\n').replaceAll('http://localhost:8080', api.publicUrl);
}

async function register(kind: string, parent: string | null): Promise<void> {
  const plural = `${kind.toLowerCase()}s`;
  const spec = {
    group: 'example.dev',
    kind,
    plural,
    parent: parent === null ? null : { apiVersion: 'example.dev/v1', kind: parent },
    versions: [{ name: 'v1', served: true, storage: true }],
  };
  const definition = { apiVersion: 'platform.dev/v1alpha1', kind: 'ResourceDefinition' };
  await api
    .as('operator', 'post', '/api/v1/resources/platform.dev/v1alpha1/resourcedefinitions')
    .send({ ...definition, metadata: { name: `${plural}.example.dev` }, spec })
    .expect(201);
}

it('docs/client.md holds what it says: its blocks are well typed, and run', async () => {
  await register('Shop', null);
  await register('Widget', 'Shop');
  await api
    .as('operator', 'post', '/api/v1/resources/example.dev/v1/shops')
    .send({ apiVersion: 'example.dev/v1', kind: 'Shop', metadata: { name: 'corner' } })
    .expect(201);
  const source = join(directory, 'page.ts');
  writeFileSync(source, programOf(readFileSync(join(root, 'docs/client.md'), 'utf8')));
  const compilerOptions = {
    strict: true,
    noEmit: true,
    skipLibCheck: true,
    target: 'es2023',
    module: 'nodenext',
    types: ['node'],
    allowImportingTsExtensions: true,
    customConditions: ['platform-source'],
  };
  writeFileSync(join(directory, 'package.json'), '{"type":"module"}');
  writeFileSync(join(directory, 'tsconfig.json'), JSON.stringify({ compilerOptions, files: ['page.ts'] }));
  const check = spawnSync(process.execPath, [`${root}node_modules/typescript/bin/tsc`, '-p', directory]);
  expect(String(check.stdout)).toBe('');
  const outfile = join(directory, 'page.mjs');
  const conditions = ['platform-source'];
  await build({ entryPoints: [source], outfile, bundle: true, platform: 'node', format: 'esm', conditions });
  const env = { ...process.env, TOKEN: api.session('operator') };
  const { stdout } = await promisify(execFile)(process.execPath, [outfile], { env, timeout: 60_000 });
  const [listed, worked] = stdout.trimEnd().split('\n');
  expect([listed, JSON.parse(worked ?? '')]).toEqual(['w1', ['built corner/w2', 'tore down w2']]);
}, 180_000);
