import { spawnSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buildOnce, freePort, testDatabase } from '@platform/development/testing';
import { nodeOptions } from '@platform/service-runtime';
import { configIn, root, text, writeSecrets } from './files.ts';
import { packagesIn, reachableFrom } from './packages-in.ts';
import { Programs, stopped } from './start-program.ts';

// The steps of the Dockerfile, without a container engine: deploy, leave out what never runs, add the migrations, run with plain node.
const directory = mkdtempSync(join(tmpdir(), 'platform-deploy-'));
const programs = new Programs();
let config = '';

// Before the database is dropped: hooks run in the order of their registration.
afterAll(async () => {
  await programs.kill();
  rmSync(directory, { recursive: true, force: true });
});

const database = testDatabase();

beforeAll(async () => {
  await buildOnce();
  mkdirSync(join(directory, 'secrets'));
  writeSecrets(join(directory, 'secrets'), database.url);
  config = configIn('kubernetes/config.yaml', '/etc/platform-secrets', join(directory, 'secrets'));
}, 120_000);

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

/** Takes out what the Dockerfile takes out, by its own command. */
function trim(deployed: string): void {
  const command = /^RUN (find \/deployed .*)$/m.exec(text('Dockerfile'))?.[1] ?? '';
  expect(command).toContain('-delete');
  run('sh', ['-euc', command.replaceAll('/deployed', deployed)]);
}

function deploy(app: string): string {
  const target = join(directory, 'deployed', app);
  pnpm('--filter', `@platform/${app}`, 'deploy', '--prod', '--prefer-offline', target);
  return target;
}

function addFiles(target: string): void {
  cpSync(join(root, 'drizzle'), join(target, 'drizzle'), { recursive: true });
  cpSync(join(root, 'docker/healthcheck.mjs'), join(target, 'healthcheck.mjs'));
}

/** The options that the images start Node with. */
function entryPointOptions(): readonly string[] {
  const [, ...options] = JSON.parse(/^ENTRYPOINT (.*)$/m.exec(text('Dockerfile'))?.[1] ?? '[]') as string[];
  return options;
}

async function start(cwd: string, key: string) {
  const port = await freePort();
  const env = {
    PATH: process.env['PATH'],
    NODE_ENV: 'production',
    PLATFORM_CONFIG: config,
    [key]: `127.0.0.1:${port}`,
  };
  return programs.start(process.execPath, [...entryPointOptions(), 'dist/main.js'], port, { cwd, env });
}

it('the images start Node with the options of the launcher', () => {
  expect(entryPointOptions()).toEqual(['--enable-source-maps', ...nodeOptions]);
});

describe('what pnpm deploy makes of the two applications', () => {
  it('migrates, serves, is healthy, and stops when asked, without sources or development dependencies', async () => {
    const targets = [deploy('api'), deploy('collector')];
    trim(join(directory, 'deployed'));
    for (const target of targets) {
      addFiles(target);
      const present = packagesIn(target);
      const reachable = reachableFrom(target);
      expect(present.filter((each) => !reachable.has(each))).toEqual([]);
      for (const absent of ['typescript', 'jest', '@platform/development']) {
        expect(present.filter((each) => each.endsWith(`/node_modules/${absent}`))).toEqual([]);
      }
      for (const ours of [target, ...present.filter((each) => each.includes('/@platform/'))]) {
        expect([ours, ['src', 'test'].filter((each) => existsSync(join(ours, each)))]).toEqual([ours, []]);
        expect(readdirSync(join(ours, 'dist')).filter((name) => name.endsWith('.js.map'))).not.toEqual([]);
      }
    }
    const [apiDirectory = '', collectorDirectory = ''] = targets;
    const api = await start(apiDirectory, 'PLATFORM__SERVER__LISTEN');
    const collector = await start(collectorDirectory, 'PLATFORM__COLLECTOR__LISTEN');
    expect((await fetch(`${api.url}/api/v1/resources/pending-deletion`)).status).toBe(401);
    expect(await (await fetch(`${api.url}/docs`)).text()).toContain('swagger-ui');
    expect(await (await fetch(`${collector.url}/metrics`)).text()).toContain('platform_collector_leader');

    const health = (url: string) =>
      spawnSync(process.execPath, [join(apiDirectory, 'healthcheck.mjs')], {
        env: { HEALTHCHECK_URL: `${url}/healthz` },
      }).status;
    expect([health(api.url), health(collector.url), health('http://127.0.0.1:1')]).toEqual([0, 0, 1]);
    for (const program of [api, collector]) {
      expect((await stopped(program)).slice(0, 2)).toEqual([0, null]);
    }
  }, 180_000);
});
