import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, existsSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { testDatabase } from '@platform/testkit';
import { configIn, root, writeSecrets } from './files.ts';
import { freePort } from './free-port.ts';

// What the Dockerfile does, without a container engine: deploy, add the migrations, run with plain node.
const database = testDatabase();
const directory = mkdtempSync(join(tmpdir(), 'platform-deploy-'));
const processes: ChildProcess[] = [];
let config = '';

beforeAll(() => {
  run('node_modules/.bin/tsc', ['-b', 'packages']);
  mkdirSync(join(directory, 'secrets'));
  writeSecrets(join(directory, 'secrets'), database.url);
  config = configIn('kubernetes/config.yaml', '/etc/platform-secrets', join(directory, 'secrets'));
}, 120_000);

// Before the database is dropped: hooks run in the reverse order of their registration.
afterAll(async () => {
  for (const child of processes) {
    if (child.exitCode === null && child.kill('SIGKILL')) await once(child, 'exit');
  }
  rmSync(directory, { recursive: true, force: true });
});

function run(command: string, parameters: readonly string[]): void {
  const { status, stdout, stderr } = spawnSync(command, parameters, { cwd: root, encoding: 'utf8' });
  if (status !== 0) throw new Error(`${command} ${parameters.join(' ')}: ${stdout}${stderr}`);
}

/** The command that runs pnpm: the one that runs this test, else the one that npm brings. */
function pnpm(...parameters: string[]): void {
  const path = process.env['npm_execpath'] ?? '';
  if (/pnpm\.[cm]?js$/.test(path)) run(process.execPath, [path, ...parameters]);
  else if (spawnSync('pnpm', ['--version']).status === 0) run('pnpm', parameters);
  else run('npx', ['--yes', 'pnpm', ...parameters]);
}

function deploy(app: string): string {
  const target = join(directory, app);
  pnpm('--filter', `@platform/${app}`, 'deploy', '--prod', '--prefer-offline', target);
  cpSync(join(root, 'drizzle'), join(target, 'drizzle'), { recursive: true });
  cpSync(join(root, 'docker/healthcheck.mjs'), join(target, 'healthcheck.mjs'));
  return target;
}

async function start(cwd: string, key: string) {
  const port = await freePort();
  const child = spawn(process.execPath, ['--enable-source-maps', 'dist/main.js'], {
    cwd,
    env: {
      PATH: process.env['PATH'],
      NODE_ENV: 'production',
      PLATFORM_CONFIG: config,
      [key]: `127.0.0.1:${port}`,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  processes.push(child);
  let output = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (output += chunk));
  const url = `http://127.0.0.1:${port}`;
  for (;;) {
    const ready = await fetch(`${url}/readyz`).catch(() => null);
    await ready?.text();
    if (ready?.status === 200) return { child, url };
    if (child.exitCode !== null) throw new Error(output);
    await delay(50);
  }
}

describe('what pnpm deploy makes of the two applications', () => {
  it('migrates, serves, is healthy, and stops when asked, without a development dependency', async () => {
    const [apiDirectory, collectorDirectory] = [deploy('api'), deploy('collector')];
    for (const absent of ['typescript', 'jest', '@platform/testkit', 'src', 'test']) {
      expect(existsSync(join(apiDirectory, 'node_modules', absent))).toBe(false);
      expect(existsSync(join(apiDirectory, absent))).toBe(false);
    }
    const api = await start(apiDirectory, 'PLATFORM__SERVER__LISTEN');
    const collector = await start(collectorDirectory, 'PLATFORM__COLLECTOR__LISTEN');
    expect((await fetch(`${api.url}/api/v1/resources/pending-deletion`)).status).toBe(401);
    expect(await (await fetch(`${collector.url}/metrics`)).text()).toContain('platform_collector_leader');

    const health = (url: string) =>
      spawnSync(process.execPath, [join(apiDirectory, 'healthcheck.mjs')], {
        env: { HEALTHCHECK_URL: `${url}/healthz` },
      }).status;
    expect([health(api.url), health(collector.url), health('http://127.0.0.1:1')]).toEqual([0, 0, 1]);
    for (const { child } of [api, collector]) {
      const ended = once(child, 'exit');
      child.kill('SIGTERM');
      expect(await ended).toEqual([0, null]);
    }
  }, 180_000);
});
