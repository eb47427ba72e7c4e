import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import { type AddressInfo, createServer as createTcpServer } from 'node:net';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { buildOnce } from '@platform/development/testing';
import { CliFixture } from './cli-fixture.ts';

const root = fileURLToPath(new URL('../../../', import.meta.url));
const program = `${root}apps/cli/platform.mjs`;
const cli = new CliFixture();
let elsewhere: Server;
let elsewhereUrl = '';

// Runs the compiled program, as it is shipped.
beforeAll(async () => {
  await buildOnce();
  elsewhere = createServer((_, response) => response.end('{"token":"t","expires_in":3600}')).listen(
    0,
    '127.0.0.1',
  );
  await once(elsewhere, 'listening');
  elsewhereUrl = `http://127.0.0.1:${(elsewhere.address() as AddressInfo).port}`;
}, 120_000);
afterAll(() => {
  elsewhere.closeAllConnections();
  elsewhere.close();
});

function start(words: readonly string[], env: Readonly<Record<string, string>> = {}) {
  const given = { PATH: process.env['PATH'] ?? '', HOME: cli.home, PLATFORM_URL: cli.api.publicUrl };
  const child = spawn(process.execPath, [program, ...words], { env: { ...given, ...env } });
  const ended = once(child, 'exit').then(([code]) => code as number | null);
  return { child, ended, out: text(child.stdout), err: text(child.stderr) };
}

async function run(words: readonly string[], env: Readonly<Record<string, string>> = {}, input = '') {
  const { child, ended, out, err } = start(words, { PLATFORM_TOKEN: cli.api.session('admin'), ...env });
  child.stdin.end(input);
  return { code: await ended, out: await out, err: await err };
}

describe('the process', () => {
  it('writes results to standard output and errors to standard error', async () => {
    expect(await run(['whoami'])).toEqual({
      code: 0,
      out: `admin@example.dev at ${cli.api.publicUrl} (admin)\n`,
      err: '',
    });
    const refused = await run(['get', 'orgs']);
    expect([refused.code, refused.out, refused.err]).toEqual([
      4,
      '',
      expect.stringMatching(/^platform: .*\n$/),
    ]);
    const { version } = JSON.parse(readFileSync(`${root}package.json`, 'utf8'));
    expect((await run(['--version'])).out).toBe(`${version}\n`);
    expect((await run([])).code).toBe(2);
  });

  it('reads standard input only when a command needs it', async () => {
    expect((await run(['encrypt'], {}, 'secret\n')).out).toMatch(/^\S+\n$/);
    const { ended } = start(['whoami'], { PLATFORM_TOKEN: cli.api.session('admin') });
    expect(await ended).toBe(0);
  });

  it('runs the editor in its terminal, and reports its exit code or that it does not exist', async () => {
    const as = { PLATFORM_TOKEN: cli.api.session('operator') };
    const editor = join(cli.home, 'editor');
    writeFileSync(editor, '#!/bin/sh\nsed -i "s/annotations: {}/annotations: {a: b}/" "$1"\n', {
      mode: 0o700,
    });
    const edited = await run(['edit', 'org', 'default'], { ...as, EDITOR: editor });
    expect([edited.code, edited.out]).toEqual([
      0,
      expect.stringMatching(/^organization\/default configured\n(.*\n)*.*\+ +a: b\n/),
    ]);
    expect((await run(['edit', 'org', 'default'], { ...as, EDITOR: 'false' })).err).toContain(
      'the editor false exited with code 1',
    );
    expect((await run(['edit', 'org', 'default'], { ...as, EDITOR: 'no-such-editor' })).err).toMatch(
      /cannot run no-such-editor: program not found/,
    );
  });

  it('loads the database driver only for commands that use the database', () => {
    const watch = [
      "import { register } from 'node:module';",
      'const refuse = "export const resolve = (name, context, next) => { if (/wire-/.test(name)) throw Error(\'loads the database tools\'); return next(name, context); }";',
      "register('data:text/javascript,' + encodeURIComponent(refuse));",
    ].join('');
    const spy = ['--import', `data:text/javascript,${encodeURIComponent(watch)}`, program];
    expect(spawnSync(process.execPath, [...spy, '--version']).status).toBe(0);
    expect(String(spawnSync(process.execPath, [...spy, 'fsck']).stderr)).toContain(
      'loads the database tools',
    );
  });

  it('exits silently when its reader closes the pipe', () => {
    const { stderr, status } = spawnSync('bash', [
      '-c',
      `set -o pipefail; '${process.execPath}' '${program}' completion bash | head -n 1 > /dev/null`,
    ]);
    expect([status, String(stderr)]).toEqual([0, '']);
  });

  it('says why its output cannot be written, and exits with 1', () => {
    const command = `'${process.execPath}' '${program}' completion bash > /dev/full`;
    const { stderr, status } = spawnSync('bash', ['-c', command]);
    expect([status, String(stderr)]).toEqual([
      1,
      expect.stringMatching(/^platform: the output cannot be written: .*ENOSPC.*\n$/),
    ]);
  });

  it('goes on when nobody reads its messages any more', async () => {
    const env = { PLATFORM_URL: cli.api.publicUrl, PLATFORM_TOKEN: cli.api.session('operator') };
    const child = spawn(process.execPath, [program, '--debug', 'get', 'orgs', '-o', 'name'], { env });
    child.stderr.destroy();
    const [[code], out] = await Promise.all([once(child, 'exit'), text(child.stdout)]);
    expect([code, out]).toEqual([0, 'organization/default\n']);
  });

  it('renews tokens until SIGTERM, and exits with 0', async () => {
    const directory = join(cli.home, 'sidecar');
    const { child, ended } = start(['identity', 'project', '-d', directory, '-a', 'aws'], {
      PLATFORM_URL: elsewhereUrl,
      PLATFORM_BOOTSTRAP_CREDENTIAL: 'c',
    });
    await once(child.stderr, 'data');
    expect(readFileSync(join(directory, 'aws'), 'utf8')).toBe('t');
    child.kill('SIGTERM');
    expect(await ended).toBe(0);
    expect(existsSync(join(directory, 'aws'))).toBe(true);
  });

  it('exits with 130 at Ctrl-C while the database does not answer', async () => {
    const silent = createTcpServer((socket) => void socket.resume().on('error', () => {}));
    silent.listen(0, '127.0.0.1');
    await once(silent, 'listening');
    const { port } = silent.address() as AddressInfo;
    const { child, ended, err } = start(['fsck', '--database-url', `postgres://nobody@127.0.0.1:${port}/x`]);
    await once(silent, 'connection');
    child.kill('SIGINT');
    expect([await ended, await err]).toEqual([130, '']);
    await new Promise((resolve) => silent.close(resolve));
  });

  it('exits with 130 at Ctrl-C while it waits', async () => {
    const { child, ended, err } = start(['login', '--no-browser']);
    await once(child.stderr, 'data');
    child.kill('SIGINT');
    expect(await ended).toBe(130);
    expect(await err).toContain('Log in with your browser');
  });
});

describe('completion scripts', () => {
  it.each(['bash', 'zsh', 'fish', 'powershell'])('exist for %s', async (shell) => {
    const { code, out } = await run(['completion', shell]);
    expect([code, out]).toEqual([0, expect.stringMatching(/platform[^\n]* complete /)]);
    if (shell === 'bash') expect(spawnSync('bash', ['-n'], { input: out }).status).toBe(0);
  });
});
