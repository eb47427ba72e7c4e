import { chmodSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import type { Command } from 'commander';
import { buildProgram } from '../src/program.ts';
import { CliFixture } from './cli-fixture.ts';
import { FakeTerminal } from './fake-terminal.ts';
import { given, registerSites } from './sites.ts';

const cli = new CliFixture();
beforeAll(async () => {
  await registerSites(cli);
  await given(cli, 'blog');
  await given(cli, 'shop');
});

/** A program in a directory of the PATH. */
function program(name: string, script: string): string {
  const directory = cli.path('bin');
  mkdirSync(directory, { recursive: true });
  writeFileSync(`${directory}/${name}`, `#!/bin/sh\n${script}\n`);
  chmodSync(`${directory}/${name}`, 0o755);
  return `${directory}:${process.env['PATH']}`;
}

describe('--debug', () => {
  it('prints each request and answer with its time, without the token and the bodies', async () => {
    const { code, out, err } = await cli.run('--debug get sites -o name');
    expect([code, out]).toEqual([0, 'site/blog\nsite/shop\n']);
    expect(err).toMatch(/> GET http:\S+\/api\/v1\/resources\/sites\.example\/v1\/sites\S*\n/);
    expect(err).toContain('> authorization: ***\n');
    expect(err).toMatch(/< 200 in \d+ ms\n/);
    expect(err).not.toContain(cli.api.session('operator'));
    const secret = await cli.run('--debug encrypt', { as: 'admin', input: 'hunter2' });
    expect(secret.err).toMatch(/> \(\d+ bytes\)\n/);
    expect(secret.err).not.toContain('hunter2');
  });
});

describe('--jq and custom columns', () => {
  it('prints what a filter makes of a list, of an item and of an answer', async () => {
    expect(await cli.ok(['get', 'sites', '--jq', '.items[] | .spec.title'])).toBe('blog\nshop\n');
    expect(await cli.ok(['get', 'site/blog', '--jq', '[.kind, .metadata.revision]'])).toBe(
      '[\n  "Site",\n  1\n]\n',
    );
    expect(await cli.ok(['api', '/healthz', '--jq', '.status'])).toBe('ok\n');
  });

  it('says what is wrong with a filter', async () => {
    const { code, err } = await cli.run(['get', 'sites', '--jq', '.items[']);
    expect(code).toBe(2);
    expect(err).toContain('platform: --jq: ');
    expect((await cli.run(['get', 'sites', '--jq', '.', '-o', 'json'])).code).toBe(2);
  });

  it('prints the columns that the user names', async () => {
    const columns = 'custom-columns=WHAT:.metadata.name,TITLE:.spec.title,NONE:.spec.nothing';
    expect(await cli.ok(['get', 'sites', '-o', columns])).toBe(
      'WHAT   TITLE   NONE\nblog   blog    <none>\nshop   shop    <none>\n',
    );
    expect(await cli.ok(['get', 'site/blog', '-o', columns, '--no-headers'])).toBe('blog   blog    <none>\n');
    expect((await cli.run('get sites -o custom-columns=NAME')).code).toBe(2);
  });
});

describe('plug-ins', () => {
  it('runs platform-<name> of the PATH with the other words, and ends with its code', async () => {
    const env = { PATH: program('platform-hello', 'exit 0') };
    const seen: (readonly string[])[] = [];
    const spawn = (command: readonly string[]) => {
      seen.push(command);
      return 7;
    };
    expect((await cli.run('hello big --world', { env, spawn })).code).toBe(7);
    expect(seen).toEqual([[cli.path('bin/platform-hello'), 'big', '--world']]);
  });

  it('never replaces a command, and is not looked for in the current directory', async () => {
    const spawn = () => 7;
    const env = { PATH: program('platform-whoami', 'exit 7') };
    expect((await cli.run('whoami', { env, spawn })).code).toBe(0);
    program('platform-hello', 'exit 7');
    expect((await cli.run('hello', { env: { PATH: '.:bin' }, spawn })).code).toBe(2);
    expect((await cli.run('../bin/hello', { env, spawn })).code).toBe(2);
  });
});

describe('the keyring', () => {
  // Stands in for libsecret: keeps what it is given in a file named after the account.
  const secretTool = () =>
    program(
      'secret-tool',
      `echo "$@" >> "${cli.home}/arguments"
case "$1" in
store) cat > "${cli.home}/ring" ;;
lookup) cat "${cli.home}/ring" ;;
clear) rm -f "${cli.home}/ring" ;;
esac`,
    );
  const env = () => ({ PATH: secretTool(), DBUS_SESSION_BUS_ADDRESS: 'unix:path=/nowhere' });

  it('keeps the token of a login, so that the file contains none', async () => {
    const token = cli.api.session('admin');
    const login = await cli.run('login --name ring --with-token -', { as: null, env: env(), input: token });
    expect(login.code).toBe(0);
    expect(readFileSync(cli.configFile, 'utf8')).not.toContain(token);
    expect(readFileSync(cli.path('ring'), 'utf8')).toBe(token);
    expect(await cli.ok('--context ring token show', { as: null, env: env() })).toBe(`${token}\n`);
    // Attack: everybody on the machine sees the arguments of a program.
    expect(readFileSync(cli.path('arguments'), 'utf8')).toMatch(/^store /);
    expect(readFileSync(cli.path('arguments'), 'utf8')).not.toContain(token);
    expect(await cli.ok('contexts', { as: null, env: env() })).toContain('admin@example.dev');
    expect(await cli.ok('--context ring logout', { as: null, env: env() })).toContain('Logged out');
    expect(existsSync(cli.path('ring'))).toBe(false);
  });

  it('is left out on request, and where it does not work', async () => {
    const token = cli.api.session('owner');
    const options = { as: null, input: token } as const;
    expect(
      (await cli.run('login --name plain --insecure-storage --with-token -', { ...options, env: env() }))
        .code,
    ).toBe(0);
    expect(readFileSync(cli.configFile, 'utf8')).toContain(token);
    const broken = { PATH: program('secret-tool', 'exit 1'), DBUS_SESSION_BUS_ADDRESS: 'unix:path=/nowhere' };
    expect((await cli.run('login --name broken --with-token -', { ...options, env: broken })).code).toBe(0);
    expect(await cli.ok('--context broken token show', { as: null })).toBe(`${token}\n`);
  });
});

describe('help', () => {
  const commands = (command: Command, words: readonly string[]): readonly (readonly [string, Command])[] =>
    command.commands.flatMap((each) => {
      const name = [...words, each.name()];
      // A group without an action of its own only lists its commands.
      const own = each.commands.length > 0 ? [] : [[name.join(' '), each] as const];
      return [...own, ...commands(each, name)];
    });

  const examplesOf = (command: Command): readonly string[] => {
    const parts: string[] = [];
    command.configureOutput({ writeOut: (part) => void parts.push(part) }).outputHelp();
    const [, examples = ''] = /\nExamples?:\n([\s\S]+)/.exec(parts.join('')) ?? [];
    return examples.split('\n').map((line) => line.trim());
  };
  const all = () => commands(buildProgram(new FakeTerminal(), { code: 0 }), []);

  it('shows an example for every command, which begins with that command', () => {
    const missing = all().filter(
      ([name, command]) =>
        !examplesOf(command).some((example) => `${example} `.startsWith(`platform ${name} `)),
    );
    // Only shells call it.
    expect(missing.map(([name]) => name).filter((name) => name !== 'complete')).toEqual([]);
  });

  it('shows no example without an option that its command requires', () => {
    const incomplete = all().flatMap(([name, command]) =>
      examplesOf(command)
        .filter((example) => `${example} `.startsWith(`platform ${name} `))
        .filter((example) =>
          command.options.some(
            ({ mandatory, defaultValue, short, long }) =>
              mandatory &&
              defaultValue === undefined &&
              !example.split(/[ =]/).some((word) => word === short || word === long),
          ),
        ),
    );
    expect(incomplete).toEqual([]);
  });
});
