import { once } from 'node:events';
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { type AddressInfo, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Logger } from '@platform/kernel';
import { startEmbeddedPostgres } from '@platform/postgres-embedded';
import postgres, { type Sql } from 'postgres';
import { type Api, apiAt } from './api.ts';
import { type Issuer, startIssuer } from './issuer.ts';
import { registerKinds } from './kinds.ts';
import { messageOf, type Program, startProgram } from './program.ts';
import { seed } from './seed.ts';
import { makeSettings, type Settings } from './settings.ts';

const entries = {
  api: fileURLToPath(new URL('../../../../apps/api/dist/main.js', import.meta.url)),
  collector: fileURLToPath(new URL('../../../../apps/collector/dist/main.js', import.meta.url)),
  floors: fileURLToPath(new URL('../floors/main.js', import.meta.url)),
};

/** A started program that answers on a port. */
export interface Served extends Program {
  readonly url: string;
  /** From its start to its readiness. */
  readonly startMs: number;
}

/** Everything that is measured, and what measures it. */
export interface Stage {
  readonly sql: Sql;
  readonly databaseUrl: string;
  readonly api: Api;
  readonly issuer: Issuer;
  readonly programs: { readonly api: Served; readonly floors: Served };
  readonly directory: string;
  /** Starts one more API process, on a port of its own. */
  startApi(nodeOptions?: readonly string[]): Promise<Served>;
  /** Starts the collector; the caller stops it. */
  startCollector(): Program;
  close(): Promise<void>;
}

/** What the stage is made of. */
export interface StageOptions {
  readonly databaseUrl: string | undefined;
  readonly rows: number;
  readonly pinned: boolean;
  readonly say: (text: string) => void;
}

const quiet: Logger = { debug() {}, info() {}, warn() {}, error() {} };

/** Brings up database, API, floors and an issuer, in a directory that is deleted in the end. */
export async function openStage({ databaseUrl, rows, pinned, say }: StageOptions): Promise<Stage> {
  const directory = mkdtempSync(join(tmpdir(), 'platform-bench-'));
  mkdirSync(join(directory, 'logs'));
  const closers: (() => unknown)[] = [() => rmSync(directory, { recursive: true, force: true })];
  const close = async () => {
    for (const closer of closers.reverse()) await closer();
  };
  try {
    say('starting the database');
    const server =
      databaseUrl === undefined ? await startEmbeddedPostgres({ dataDir: directory, log: quiet }) : undefined;
    if (server) closers.push(() => server.stop());
    const url = databaseUrl ?? server?.url ?? '';
    const issuer = await startIssuer();
    closers.push(() => issuer.close());
    const settings = makeSettings(url, issuer.url);
    const start = (name: keyof typeof entries, nodeOptions: readonly string[] = []) =>
      startServed(name, settings, { directory, pinned, nodeOptions });
    say('starting the API');
    // The first start migrates; the second one is what a restart costs.
    await (await start('api')).stop();
    const api = await start('api');
    closers.push(() => api.stop());
    const floors = await start('floors');
    closers.push(() => floors.stop());
    const sql = postgres(url, { max: 4, onnotice: () => undefined });
    closers.push(() => sql.end());
    const caller = apiAt(api.url, settings.session);
    say(`making ${rows.toLocaleString('en')} rows`);
    await registerKinds(caller);
    await seed(sql, rows);
    return {
      sql,
      databaseUrl: url,
      api: caller,
      issuer,
      programs: { api, floors },
      directory,
      startApi: (nodeOptions) => start('api', nodeOptions),
      startCollector: () => startProgram(programOf('collector', settings, { directory, pinned: false })),
      close,
    };
  } catch (error) {
    await close();
    throw error;
  }
}

interface Where {
  readonly directory: string;
  readonly pinned: boolean;
  readonly nodeOptions?: readonly string[];
}

function programOf(name: keyof typeof entries, { env }: Settings, where: Where) {
  const { directory, pinned, nodeOptions = [] } = where;
  return { entry: entries[name], env, pinned, nodeOptions, log: join(directory, 'logs', `${name}.log`) };
}

async function startServed(
  name: 'api' | 'floors' | 'collector',
  settings: Settings,
  where: Where,
): Promise<Served> {
  // Port 0 is no address that the configuration takes.
  const listen = { PLATFORM__SERVER__LISTEN: `127.0.0.1:${await freePort()}` };
  const before = performance.now();
  const program = startProgram(programOf(name, { ...settings, env: { ...settings.env, ...listen } }, where));
  const { port } = await messageOf<{ port: number }>(program.child);
  return { ...program, url: `http://127.0.0.1:${port}`, startMs: performance.now() - before };
}

/** A port that was free a moment ago. */
async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  return port;
}
