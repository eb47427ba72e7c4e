import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import { CliFixture } from './cli-fixture.ts';

const cli = new CliFixture();
const here = process.cwd();
// Below the package, so that the client is found.
const directory = mkdtempSync(fileURLToPath(new URL('../node_modules/.scaffold-', import.meta.url)));
beforeAll(async () => {
  process.chdir(directory);
  await cli.ok('new controller greeter --group acme.example --kind Greeting');
});
afterAll(() => {
  process.chdir(here);
  rmSync(directory, { recursive: true });
});

describe('platform new controller', () => {
  it.each([
    ['5.4', '../node_modules/typescript-5.4/bin/tsc'],
    ['the current one', '../../../node_modules/typescript/bin/tsc'],
  ])(
    'writes a program that compiles with TypeScript %s',
    (_, compiler) => {
      const own = JSON.parse(readFileSync('greeter/tsconfig.json', 'utf8'));
      // From the sources of the client, which are not built here.
      const more = {
        noEmit: true,
        rootDir: undefined,
        customConditions: ['platform-source'],
        allowImportingTsExtensions: true,
      };
      const compilerOptions = { ...own.compilerOptions, ...more };
      writeFileSync('greeter/tsconfig.test.json', JSON.stringify({ ...own, compilerOptions }));
      const program = fileURLToPath(new URL(compiler, import.meta.url));
      const { stdout } = spawnSync(process.execPath, [program, '-p', 'greeter/tsconfig.test.json']);
      expect(String(stdout)).toBe('');
    },
    120_000,
  );

  it('writes a test that passes', async () => {
    const outfile = join(directory, 'test.mjs');
    const from = {
      entryPoints: [join(directory, 'greeter/test/controller.test.ts')],
      conditions: ['platform-source'],
    };
    await build({ ...from, outfile, bundle: true, platform: 'node', format: 'esm' });
    const { NODE_OPTIONS: _, ...env } = process.env;
    const { status, stdout } = spawnSync(process.execPath, ['--test', outfile], { env });
    expect([status, String(stdout)]).toEqual([0, expect.stringContaining('# pass 1')]);
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
