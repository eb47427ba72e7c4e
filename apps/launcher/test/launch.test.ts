import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { type AddressInfo, createServer, type Server } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { ConfigError, loadConfig, overrideName } from '@platform/config';
import { freePort, recordingLogger, testDatabase, until } from '@platform/development/testing';
import postgres from 'postgres';
import { chooseLogFormat, launch } from '../src/launch.ts';

const entry = fileURLToPath(new URL('./fake-program.mjs', import.meta.url));
const external = testDatabase();
let cwd: string;

beforeEach(() => {
  cwd = mkdtempSync(join(tmpdir(), 'launcher-'));
});

afterEach(() => rmSync(cwd, { recursive: true, force: true }));

/** A launch of fake programs, on an embedded database if asked to. */
async function launched(
  options: {
    collector?: string;
    env?: Record<string, string>;
    embedded?: true;
    deaf?: true;
    terminal?: boolean;
  } = {},
) {
  const port = await freePort();
  const url = options.embedded ? {} : { PLATFORM__DATABASE__URL: external.url };
  const env = { PLATFORM__SERVER__LISTEN: `127.0.0.1:${port}`, ...url, ...options.env };
  const journal = join(cwd, 'journal');
  const said: string[] = [];
  const logger = recordingLogger();
  let stop: (why: string) => void = () => {};
  const stopRequested = new Promise<string>((resolve) => {
    stop = resolve;
  });
  const ended = launch({
    config: loadConfig({ env, cwd }),
    env: { ...process.env, ...env },
    programs: [
      { name: 'api', entry, args: ['api', journal, ...(options.deaf ? [] : [String(port)])] },
      { name: 'collector', entry: options.collector ?? entry, args: ['collector', journal] },
    ],
    logger,
    say: (text) => said.push(text),
    terminal: options.terminal ?? false,
    stopRequested,
  });
  const lines = () => (existsSync(journal) ? readFileSync(journal, 'utf8').trim().split('\n') : []);
  return { ended, stop, logger, port, lines, output: () => said.join('') };
}

const alive = (pid: number) => {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
};

describe('a launch', () => {
  it('runs API and collector on an embedded database, prints the welcome text, and stops everything on request', async () => {
    const run = await launched({ embedded: true, terminal: true });
    await until(() => run.output().includes('The platform is running.'));
    await until(() => run.lines().some((line) => line.startsWith('collector started')));
    const base = `http://localhost:${run.port}`;
    for (const page of ['console', 'docs']) expect(run.output()).toContain(`${base}/${page}\n`);
    expect(run.output()).toMatch(
      new RegExp(
        `^curl -H 'Authorization: Bearer [\\w.-]+' '${base}/api/v1/resources/.*/organizations'$`,
        'm',
      ),
    );
    const [, payload = ''] = /Bearer [\w-]+\.([\w-]+)/.exec(run.output()) ?? [];
    const { iat, exp } = JSON.parse(Buffer.from(payload, 'base64url').toString());
    expect([exp - iat, run.output().includes('(this token works for 60 minutes)')]).toEqual([3600, true]);
    const started = [
      ...run
        .lines()
        .join('\n')
        .matchAll(/^(\w+) started (\d+) with a database$/gm),
    ];
    expect(started.map((match) => match[1]).sort()).toEqual(['api', 'collector']);

    run.stop('test');
    expect(await run.ended).toBeUndefined();
    expect(run.lines().slice(-2).sort()).toEqual(['api was asked to stop', 'collector was asked to stop']);
    for (const match of started) expect(alive(Number(match[2]))).toBe(false);
  });

  it('keeps its data across restarts', async () => {
    const use = async (statement: string) => {
      const run = await launched({ embedded: true });
      await until(() => run.output().includes('running'));
      const password = readFileSync(join(cwd, '.platform', 'postgres-password'), 'utf8').trim();
      const port = readFileSync(join(cwd, '.platform', 'postgres', 'postmaster.pid'), 'utf8').split('\n')[3];
      const url = `postgres://platform:${password}@127.0.0.1:${port}/platform`;
      const sql = postgres(url, { max: 1 });
      const rows = await sql.unsafe(statement);
      await sql.end();
      run.stop('test');
      await run.ended;
      return rows;
    };
    await use('create table kept as select 1 as one');
    expect(await use('select one from kept')).toEqual([{ one: 1 }]);
  });

  it('starts an identity provider for development, at the same address each time', async () => {
    const issuerOf = async () => {
      const run = await launched();
      await until(() => run.output().includes('running'));
      expect(run.output()).toMatch(/^ {2}Login +http:\S+login/m);
      const issuer = /api logs people in at "(http:\/\/127\.0\.0\.1:\d+)"$/m.exec(
        run.lines().join('\n'),
      )?.[1];
      const answer = await fetch(`${issuer}/.well-known/openid-configuration`);
      expect(await answer.json()).toMatchObject({ issuer });
      run.stop('test');
      await run.ended;
      rmSync(join(cwd, 'journal'));
      return issuer;
    };
    expect(await issuerOf()).toBe(await issuerOf());
  });

  it('fails with the reason when a program exits before it is ready', async () => {
    const run = await launched({ collector: join(cwd, '..', 'no-such-program.mjs') });
    await expect(run.ended).rejects.toThrow('collector is not built');
    const collector = fileURLToPath(new URL('./dying-program.mjs', import.meta.url));
    const dies = await launched({ collector, deaf: true });
    expect(await dies.ended).toBe('collector ended before it was ready (exit code 3)');
  });

  it('restarts a program that exits later', async () => {
    const run = await launched();
    // The launch waits only for the API: the collector may still be starting.
    await until(() => run.lines().some((line) => line.startsWith('collector started')));
    await until(() => run.output().includes('running'));
    const pid = Number(/collector started (\d+)/.exec(run.lines().join('\n'))?.[1]);
    process.kill(pid, 'SIGKILL');
    await until(() => run.lines().filter((line) => line.startsWith('collector started')).length === 2);
    expect(run.logger.lines.find(({ fields }) => fields['process'] === 'collector')?.fields['how']).toBe(
      'signal SIGKILL',
    );
    run.stop('test');
    expect(await run.ended).toBeUndefined();
  });

  it('restarts the database on the same port', async () => {
    const run = await launched({ embedded: true });
    await until(() => run.output().includes('running'));
    const pidFile = join(cwd, '.platform', 'postgres', 'postmaster.pid');
    const before = readFileSync(pidFile, 'utf8').split('\n');
    process.kill(Number(before[0]), 'SIGINT');
    const after = () => {
      try {
        return readFileSync(pidFile, 'utf8').split('\n');
      } catch {
        return [];
      }
    };
    await until(() => after()[7]?.trim() === 'ready' && after()[0] !== before[0]);
    expect(after()[3]).toBe(before[3]);
    run.stop('test');
    expect(await run.ended).toBeUndefined();
  });

  it('tries again when the database cannot be restarted, as on a full disk', async () => {
    const run = await launched({ embedded: true });
    await until(() => run.output().includes('running'));
    const [pidFile, logFile] = ['postgres/postmaster.pid', 'postgres.log'].map((name) =>
      join(cwd, '.platform', name),
    ) as [string, string];
    const [pid] = readFileSync(pidFile, 'utf8').split('\n');
    rmSync(logFile);
    mkdirSync(logFile);
    process.kill(Number(pid), 'SIGINT');
    const reasons = () => run.logger.lines.map(({ fields }) => String(fields['reason']));
    await until(() => reasons().some((reason) => reason.includes('EISDIR')));
    rmSync(logFile, { recursive: true });
    await until(() => existsSync(pidFile) && /^ready/m.test(readFileSync(pidFile, 'utf8')));
    run.stop('test');
    expect(await run.ended).toBeUndefined();
  });

  // Attack: journald, CI or a file keeps an operator's token, which others read.
  it.each([
    ['to a file or a log', {}, false],
    ['of a configured platform, even to a terminal', { auth: { operator_users: ['me@example.com'] } }, true],
  ])('prints no token %s', async (_, settings, terminal) => {
    if (terminal) writeFileSync(join(cwd, 'platform.yaml'), JSON.stringify(settings));
    const run = await launched({ terminal });
    await until(() => run.output().includes('running'));
    expect(run.output()).not.toMatch(/Bearer|eyJ/);
    // Without an issuer, login is not possible.
    expect(run.output().includes('Log in with: ./platform login')).toBe(!terminal);
    run.stop('test');
    await run.ended;
  });

  it.each([
    ['text on a terminal', {}, {}, true, 'text'],
    ['JSON for programs that read the output', {}, {}, false, 'json'],
    ['the configured format on a terminal', {}, { PLATFORM__LOG__FORMAT: 'json' }, true, 'json'],
    ['JSON with a configuration file', { file: true }, {}, true, 'json'],
  ] as const)('logs %s', (_, { file = false }: { file?: boolean }, env, terminal, expected) => {
    if (file) writeFileSync(join(cwd, 'platform.yaml'), 'log: { level: info }\n');
    expect(chooseLogFormat(loadConfig({ env, cwd }), env, terminal)).toBe(expected);
  });

  it.each([
    ['is a file', ['data']],
    ['is below a file', ['data', 'below']],
  ])('names a database.data_dir that %s, in one sentence', async (_, path) => {
    writeFileSync(join(cwd, 'data'), '');
    const secret = Buffer.alloc(32, 7).toString('base64');
    const configured = {
      server: { jwt_signing_secret: secret },
      encryption: { keys: [{ id: 'a', key: secret }] },
    };
    writeFileSync(join(cwd, 'platform.yaml'), JSON.stringify(configured));
    const run = await launched({ embedded: true, env: { PLATFORM__DATABASE__DATA_DIR: join(...path) } });
    const failure = await run.ended.catch((error: Error) => error);
    expect(failure).toBeInstanceOf(ConfigError);
    expect((failure as Error).message).toMatch(/^database\.data_dir: cannot be created: E.*'$/);
    expect((failure as Error).message).toContain(join(cwd, 'data'));
  });

  describe('refuses', () => {
    let other: Server;
    let taken: string;

    beforeEach(async () => {
      other = createServer();
      await new Promise<void>((resolve) => other.listen(0, '127.0.0.1', resolve));
      taken = `127.0.0.1:${(other.address() as AddressInfo).port}`;
    });

    afterEach(() => other.close());

    it.each(['server.listen', 'server.tls_listen', 'server.metrics_listen', 'collector.listen'])(
      'a port of %s that is taken',
      async (key) => {
        const run = await launched({ env: { [overrideName(key)]: taken } });
        await expect(run.ended).rejects.toThrow(`${key}: ${taken} is taken by another program`);
      },
    );

    it('a port that API and collector share', async () => {
      const listen = `127.0.0.1:${await freePort()}`;
      const run = await launched({
        env: { PLATFORM__SERVER__METRICS_LISTEN: listen, PLATFORM__COLLECTOR__LISTEN: listen },
      });
      await expect(run.ended).rejects.toThrow(
        'collector.listen: cannot use the port of server.metrics_listen',
      );
    });
  });
});
