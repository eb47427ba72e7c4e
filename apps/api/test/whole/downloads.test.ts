import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { buildOnce } from '@platform/development/testing';
import request from '../openapi/documented-request.ts';
import { WholeApi } from './whole-api.ts';

const api = new WholeApi();
const elsewhere = mkdtempSync(join(tmpdir(), 'downloads-'));

beforeAll(() => buildOnce(), 300_000);
afterAll(() => rmSync(elsewhere, { recursive: true, force: true }));

/** Runs a program and returns its output. The service is in this process, so nothing may block it. */
async function run(program: string, words: readonly string[], cwd: string, env = process.env) {
  const { stdout } = await promisify(execFile)(program, words, { cwd, env });
  return stdout;
}

/** npm without the network. */
async function npm(directory: string, ...words: string[]): Promise<void> {
  mkdirSync(directory, { recursive: true });
  await run('npm', ['--offline', '--no-audit', '--no-fund', ...words], directory);
}

async function fetchTo(file: string): Promise<string> {
  const bytes = Buffer.from(await (await fetch(`${api.publicUrl}/downloads/${file}`)).arrayBuffer());
  const path = join(elsewhere, file);
  writeFileSync(path, bytes);
  return path;
}

describe('/downloads', () => {
  it('lists each package with its version and its checksums', async () => {
    const { body } = await request(api.publicUrl).get('/downloads').expect(200);
    expect(body.items.map(({ file }: { file: string }) => file)).toEqual(['cli.tgz', 'client.tgz']);
    for (const { file, size, sha256, url } of body.items) {
      const bytes = Buffer.from(await (await fetch(url)).arrayBuffer());
      expect([bytes.length, createHash('sha256').update(bytes).digest('hex')]).toEqual([size, sha256]);
      const checksum = await fetch(`${url}.sha256`);
      expect(await checksum.text()).toBe(`${sha256}  ${file}\n`);
    }
  });

  it.each(['index.json', '..%2f..%2fpackage.json', 'constructor'])('has no file %s', async (name) => {
    await request(api.publicUrl).get(`/downloads/${name}`).expect(404);
  });
});

describe('the command line from there', () => {
  it('installs without a registry, and runs outside of the repository', async () => {
    const prefix = join(elsewhere, 'global');
    await npm(elsewhere, 'install', '--global', '--prefix', prefix, await fetchTo('cli.tgz'));
    const own = { HOME: elsewhere, PLATFORM_URL: api.publicUrl, PLATFORM_TOKEN: api.session('operator') };
    const platform = (...words: string[]) =>
      run(join(prefix, 'bin/platform'), words, elsewhere, { ...process.env, ...own });
    expect(await platform('--version')).toMatch(/^\d+\.\d+\.\d+/);
    expect(await platform('get', 'organizations')).toContain('default');
  }, 60_000);
});

describe('the client from there', () => {
  it('compiles with TypeScript 5.4 under --strict, and works', async () => {
    const project = join(elsewhere, 'project');
    await npm(project, 'init', '--yes');
    await npm(project, 'install', await fetchTo('client.tgz'));
    const program = `import { createClient, isPlatformError } from 'platform-service-client';
const client = createClient({ baseUrl: process.argv[2] ?? '', token: process.argv[3] ?? '' });
try {
  const organizations = client.resources({ group: 'platform.dev', version: 'v1alpha1', plural: 'organizations' });
  for await (const { metadata } of organizations.list()) console.log(metadata.name);
} catch (error) {
  console.log(isPlatformError(error) ? error.code : 'another error');
}
`;
    writeFileSync(join(project, 'main.mts'), program);
    const globals = 'declare const process: { argv: string[] };\n';
    writeFileSync(join(project, 'globals.d.ts'), globals);
    const compiler = createRequire(import.meta.url).resolve('typescript/bin/tsc');
    const flags = ['--strict', '--module', 'nodenext', '--target', 'es2022', '--lib', 'es2022,dom'];
    const faults = await run(
      process.execPath,
      [compiler, ...flags, 'main.mts', 'globals.d.ts'],
      project,
    ).catch(({ stdout }: { stdout: string }) => stdout);
    expect(faults).toBe('');
    const answer = (token: string) => run(process.execPath, ['main.mjs', api.publicUrl, token], project);
    expect(await answer(api.session('operator'))).toBe('default\n');
    expect(await answer('nothing')).toBe('unauthenticated\n');
  }, 60_000);
});
