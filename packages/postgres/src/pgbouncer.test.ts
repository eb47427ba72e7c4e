import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { freePort, PostgresNode, postgresTools, timeoutFactor } from '@platform/development/testing';
import { migrate, openDatabase } from './index.ts';

const pgbouncer = '/usr/sbin/pgbouncer';
// Skipped where Debian's packages are not installed.
const described = existsSync(pgbouncer) && postgresTools !== null ? describe : describe.skip;
const page = readFileSync(new URL('../../../docs/databases.md', import.meta.url), 'utf8');

described.each([
  ['session', ''],
  ['transaction', '?pooler=transaction'],
])('behind pgbouncer in %s mode, set up as docs/databases.md says', (mode, parameter) => {
  let server: PostgresNode;
  let pooler: ChildProcess;
  let url: string;
  let directory: string;

  beforeAll(async () => {
    server = await PostgresNode.primary();
    const setUp = openDatabase({ url: server.url, poolMax: 1 });
    await setUp.rows('create role platform login superuser');
    for (const statement of page.match(/^ *alter role platform set .*;$/gm) ?? [])
      await setUp.rows(statement);
    await setUp.close();
    directory = mkdtempSync(join(tmpdir(), 'platform-pgbouncer-'));
    chmodSync(directory, 0o755);
    const port = await freePort();
    const settings = page.match(/^ *(?:ignore_startup_parameters|server_login_retry) = .*$/gm) ?? [];
    writeFileSync(
      join(directory, 'pgbouncer.ini'),
      `[databases]\npostgres = host=127.0.0.1 port=${server.port} user=platform\n[pgbouncer]\nlisten_addr = 127.0.0.1\n` +
        `listen_port = ${port}\nunix_socket_dir =\nauth_type = any\npool_mode = ${mode}\n` +
        `default_pool_size = 20\n${settings.map((line) => line.trim()).join('\n')}\n`,
    );
    pooler = spawn(pgbouncer, [join(directory, 'pgbouncer.ini')], { ...account(), stdio: 'ignore' });
    url = `postgres://platform@127.0.0.1:${port}/postgres${parameter}`;
    for (let tries = 0; tries < 100; tries += 1) {
      const sql = openDatabase({ url, poolMax: 1 });
      const up = await sql.ping().then(
        () => true,
        () => false,
      );
      await sql.close();
      if (up) return;
      await sleep(100);
    }
    throw new Error('pgbouncer does not answer');
  }, 60_000);
  afterAll(async () => {
    pooler.kill('SIGKILL');
    await once(pooler, 'exit');
    await server.remove();
    rmSync(directory, { recursive: true, force: true });
  });

  it('migrates, writes, and has the timeouts of a session', async () => {
    expect((await migrate({ url })).length).toBeGreaterThan(5);
    const sql = openDatabase({ url, poolMax: 8 });
    await sql.rows('create table written (n int)');
    await Promise.all(
      Array.from({ length: 20 }, (_, n) =>
        sql.transaction((inside) => inside.rows('insert into written values ($1::int)', [n])),
      ),
    );
    expect(await sql.rows('select count(*) from written')).toEqual([[20]]);
    expect(await sql.rows('show statement_timeout')).toEqual([['8500ms']]);
    await sql.close();
  });

  it('goes on after the server behind it was ended and started again', async () => {
    const sql = openDatabase({ url, poolMax: 2 });
    await sql.rows('select 1');
    await server.kill();
    const write = await sql.rows('insert into written values (100)').catch((error) => error.code);
    expect(['outcome_unknown', 'unavailable']).toContain(write);
    await server.start();
    const since = performance.now();
    while ((await sql.rows('select 1').catch(() => null)) === null) await sleep(50);
    expect(performance.now() - since).toBeLessThan(5_000 * timeoutFactor);
    await sql.close();
  }, 40_000);
});

/** pgbouncer does not run as root. */
function account(): { readonly uid?: number; readonly gid?: number } {
  if (process.getuid?.() !== 0) return {};
  const id = (flag: string) => Number(execFileSync('id', [flag, 'postgres'], { encoding: 'utf8' }));
  return { uid: id('-u'), gid: id('-g') };
}
