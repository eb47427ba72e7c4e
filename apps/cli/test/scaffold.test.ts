import { execFile } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { buildOnce } from '@platform/development/testing';
import { extract } from 'tar';
import { CliFixture } from './cli-fixture.ts';

const cli = new CliFixture();
const here = process.cwd();
// Below the package, so that the types of Node.js are found.
const directory = mkdtempSync(fileURLToPath(new URL('../node_modules/.scaffold-', import.meta.url)));
beforeAll(async () => {
  await buildOnce();
  process.chdir(directory);
  await cli.ok('new controller greeter --group acme.example --kind Greeting');
  // As npm installs what the platform serves.
  const client = 'greeter/node_modules/platform-service-client';
  mkdirSync(client, { recursive: true });
  const file = fileURLToPath(new URL('../../../apps/api/downloads/client.tgz', import.meta.url));
  await extract({ file, cwd: client, strip: 1 });
}, 300_000);
afterAll(() => {
  process.chdir(here);
  rmSync(directory, { recursive: true });
});

/** Runs Node.js in the new directory; its output. */
async function node(...words: readonly string[]): Promise<string> {
  const { NODE_OPTIONS: _, ...env } = process.env;
  const { stdout } = await promisify(execFile)(process.execPath, words, { cwd: 'greeter', env }).catch(
    (error: { stdout: string }) => error,
  );
  return stdout;
}

describe('platform new controller', () => {
  it.each([
    ['the current TypeScript', '../../../node_modules/typescript/bin/tsc'],
    ['TypeScript 5.4', '../node_modules/typescript-5.4/bin/tsc'],
  ])(
    'writes a program that compiles with %s, and a test that passes',
    async (_, compiler) => {
      expect(await node(fileURLToPath(new URL(compiler, import.meta.url)))).toBe('');
      const report = await node('--test', 'dist/test/controller.test.js');
      expect(report).toMatch(/^# pass 2$/m);
      expect(report).toMatch(/^# fail 0$/m);
    },
    120_000,
  );

  it('writes a test that fails when the controller says something else', async () => {
    const file = 'greeter/dist/src/controller.js';
    writeFileSync(file, readFileSync(file, 'utf8').replace('Hello', 'Bye'));
    expect(await node('--test', 'dist/test/controller.test.js')).toMatch(/^# pass 1\n# fail 1$/m);
  }, 60_000);

  it('writes a kind and a resource that the platform takes', async () => {
    expect(await cli.ok('apply -f greeter/resources')).toBe(
      'resourcedefinition/greetings.acme.example created\ngreeting/first created\n',
    );
  });

  it('overwrites nothing, and takes no path as a name', async () => {
    expect((await cli.run('new controller greeter')).code).toBe(6);
    expect((await cli.run('new controller ../elsewhere')).code).toBe(2);
  });
});
