import { type ChildProcess, execFileSync, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, openSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { buildOnce, freePort, until } from '@platform/development/testing';

const root = fileURLToPath(new URL('../../../', import.meta.url));
const started = new Set<ChildProcess>();
let cwd: string;

beforeAll(() => buildOnce(), 300_000);

beforeEach(() => {
  cwd = mkdtempSync(join(tmpdir(), 'start-'));
});

afterEach(async () => {
  for (const child of started) await end(child, 'SIGTERM');
  started.clear();
  rmSync(cwd, { recursive: true, force: true });
});

/** Runs the program of `pnpm start` in a temporary directory. */
function start(port: number, { terminal = false, tlsPort = 0, stdout = 'pipe' as 'pipe' | number } = {}) {
  const program = [process.execPath, join(root, 'apps/launcher/start.mjs')] as const;
  // util-linux gives the program a terminal; a Ctrl-C is a byte of its input.
  const [command, args] = terminal
    ? ['script', ['-qefc', `exec ${program.join(' ')}`, '/dev/null']]
    : [program[0], [program[1]]];
  const child = spawn(command, args, {
    cwd,
    env: {
      PATH: process.env['PATH'],
      PLATFORM__SERVER__LISTEN: `127.0.0.1:${port}`,
      ...(tlsPort === 0 ? {} : { PLATFORM__SERVER__TLS_LISTEN: `127.0.0.1:${tlsPort}` }),
    },
    stdio: ['pipe', stdout, 'pipe'],
  });
  started.add(child);
  let output = '';
  for (const stream of [child.stdout, child.stderr]) stream?.on('data', (chunk) => (output += String(chunk)));
  return { child, output: () => output };
}

async function ready({ child, output }: ReturnType<typeof start>): Promise<string> {
  const isReady = () => output().includes('Ctrl-C stops everything');
  await until(() => isReady() || child.exitCode !== null, { seconds: 90 });
  if (!isReady()) throw new Error(`not ready:\n${output()}`);
  return output();
}

/** Stops the process and returns its exit code or signal. */
async function end(child: ChildProcess, signal: NodeJS.Signals): Promise<number | NodeJS.Signals | null> {
  if (child.exitCode === null && child.signalCode === null) {
    const exit = once(child, 'exit');
    child.kill(signal);
    await exit;
  }
  return child.exitCode ?? child.signalCode;
}

/** Every process in the directory of this test, including the database. */
function descendants(): string[] {
  const inDirectory = (pid: string) => {
    try {
      return execFileSync('readlink', [`/proc/${pid}/cwd`], { encoding: 'utf8' }).startsWith(cwd);
    } catch {
      return false;
    }
  };
  const pids = execFileSync('ls', ['/proc'], { encoding: 'utf8' }).split('\n');
  return pids.filter((pid) => /^\d+$/.test(pid) && inDirectory(pid));
}

async function untilNothingRuns(): Promise<void> {
  await until(() => descendants().length === 0);
}

const withKubectl = spawnSync('kubectl', ['version', '--client']).error === undefined ? it : it.skip;
const onLinux = process.platform === 'linux' ? describe : describe.skip;

// Running processes are read from /proc.
onLinux('pnpm start', () => {
  it('prints a curl line that works, ends with 0, leaves nothing running, and finds its data again', async () => {
    const port = await freePort();
    const first = start(port, { terminal: true });
    const shown = (await ready(first)).replaceAll('\r\n', '\n');
    const [, token, url] = /^curl -H 'Authorization: Bearer (\S+)' '(\S+)'$/m.exec(shown) ?? [];
    const ask = async () => {
      const answer = await fetch(url ?? '', { headers: { authorization: `Bearer ${token}` } });
      return (await answer.json()) as { items: { metadata: { name: string; uid: string } }[] };
    };
    const before = await ask();
    expect(before.items.map(({ metadata }) => metadata.name)).toEqual(['default']);
    first.child.stdin?.write('\u0003');
    expect((await once(first.child, 'exit'))[0]).toBe(0);
    await untilNothingRuns();

    expect(await ready(start(port))).not.toContain('Bearer');
    expect((await ask()).items).toEqual(before.items);
  }, 240_000);

  withKubectl(
    'prints a kubeconfig with which kubectl works as it is (skipped without kubectl)',
    async () => {
      const [port, tlsPort] = [await freePort(), await freePort()];
      const shown = (await ready(start(port, { terminal: true, tlsPort }))).replaceAll('\r\n', '\n');
      writeFileSync(join(cwd, 'token'), /Bearer (\S+)'/.exec(shown)?.[1] ?? '');
      const env = { PATH: process.env['PATH'], HOME: cwd, KUBECONFIG: join(cwd, 'kubeconfig') };
      const place = ['--url', `http://localhost:${port}`, '--token-file', 'token'];
      const printed = execFileSync(join(root, 'platform'), [...place, 'kubeconfig'], {
        cwd,
        env,
        encoding: 'utf8',
      });
      writeFileSync(env.KUBECONFIG, printed);
      expect(printed).toContain(`server: https://127.0.0.1:${tlsPort}/kubernetes`);
      // The plug-in runs wherever kubectl does.
      const kubectl = (...parameters: string[]) =>
        execFileSync('kubectl', parameters, { cwd: '/', env, encoding: 'utf8' });
      expect(kubectl('get', 'namespaces')).toMatch(/^default +Active/m);
      expect(kubectl('auth', 'whoami')).toContain('admin@platform.localhost');
      kubectl('create', 'configmap', 'first', '--from-literal=a=b');
      expect(kubectl('get', 'configmap', 'first', '-o', 'jsonpath={.data}')).toBe('{"a":"b"}');
      // Nobody else's certificate is trusted.
      const foreign = printed.replace(/certificate-authority-data: .*/, '');
      writeFileSync(env.KUBECONFIG, foreign);
      expect(() => execFileSync('kubectl', ['get', 'ns'], { cwd, env, stdio: 'pipe' })).toThrow(
        /certificate/,
      );
    },
    240_000,
  );

  it('leaves nothing running when it is killed', async () => {
    const run = start(await freePort());
    await ready(run);
    expect(descendants().length).toBeGreaterThan(3);
    expect(await end(run.child, 'SIGKILL')).toBe('SIGKILL');
    await untilNothingRuns();
    expect(existsSync(join(cwd, '.platform', 'postgres', 'postmaster.pid'))).toBe(false);
  }, 240_000);

  it('goes on when its output cannot be written', async () => {
    const port = await freePort();
    const { child, output } = start(port, { stdout: openSync('/dev/full', 'w') });
    const answers = () =>
      fetch(`http://127.0.0.1:${port}/healthz`).then(
        ({ ok }) => ok,
        () => false,
      );
    await until(async () => child.exitCode !== null || (await answers()), { seconds: 90 });
    expect([child.exitCode, output()]).toEqual([null, '']);
    expect(await end(child, 'SIGTERM')).toBe(0);
    await untilNothingRuns();
  }, 240_000);

  it('ends with 0 when it is stopped while it builds', async () => {
    const { child, output } = start(await freePort());
    await until(() => output().includes('Building ...'));
    expect(await end(child, 'SIGINT')).toBe(0);
    await untilNothingRuns();
  }, 120_000);

  it('prints every fault of the configuration, and exits with 1', async () => {
    writeFileSync(
      join(cwd, 'platform.yaml'),
      'server: { public_url: nowhere }\nlog: { level: loud }\nwhat: 1\n',
    );
    const { child, output } = start(await freePort());
    await once(child, 'close');
    expect(child.exitCode).toBe(1);
    expect(output()).toContain('what: is not a known key');
    expect(output()).toContain('log.level: must be one of error, warn, info, debug');
    expect(output()).toContain('server.public_url: must be an http:// or https:// URL');
    expect(output()).not.toContain('    at ');
  }, 120_000);
});
