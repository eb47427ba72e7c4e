import { existsSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';

/** Ends what the tests of this run started or left behind. */
export default async function globalTeardown() {
  const external = process.env.TEST_DATABASE_URL;
  if (external) await dropLeftovers(external);
  const directory = process.env.PLATFORM_TEST_POSTGRES;
  await stopServer(join(directory, 'postgres', 'postmaster.pid'));
  rmSync(directory, { recursive: true, force: true });
  globalThis.platformTestGuard.stdin.end('dismissed\n');
}

// Nothing of it is kept, so it need not write anything down.
async function stopServer(pidFile) {
  if (!existsSync(pidFile)) return;
  const pid = Number.parseInt(readFileSync(pidFile, 'utf8'), 10);
  process.kill(pid, 'SIGQUIT');
  while (existsSync(pidFile)) await delay(10);
}

async function dropLeftovers(url) {
  const { default: postgres } = await import('postgres');
  const sql = postgres(url, { max: 1, onnotice: () => undefined });
  const mine = `test\\_${process.env.PLATFORM_TEST_RUN}\\_%`;
  for (const { datname } of await sql`select datname from pg_database where datname like ${mine}`) {
    await sql`drop database if exists ${sql(datname)} with (force)`;
  }
  await sql.end();
}
