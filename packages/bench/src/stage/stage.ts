import { once } from 'node:events';
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { type AddressInfo, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { startEmbeddedPostgres } from '@platform/development';
import type { Logger } from '@platform/kernel';
import postgres, { type Sql } from 'postgres';
import { type Api, apiAt } from './api.ts';
import { type Issuer, startIssuer } from './issuer.ts';
import { registerKinds } from './kinds.ts';
import { endedUnexpectedly, messageOf, type Program, type ProgramOptions, startProgram } from './program.ts';
import { seed } from './seed.ts';
import { makeSettings, type Settings } from './settings.ts';
import { startUpstream, type Upstream } from './upstream.ts';

const entries = {
  api: fileURLToPath(new URL('../../../../apps/api/dist/main.js', import.meta.url)),
  collector: fileURLToPath(new URL('../../../../apps/collector/dist/main.js', import.meta.url)),
  floors: fileURLToPath(new URL('../floors/main.js', import.meta.url)),
  client: fileURLToPath(new URL('../load/client.js', import.meta.url)),
};

/** A started program that answers on a port. */
export interface Served extends Program {
  readonly url: string;
  /** Where load goes, in turn: several addresses when several processes are measured as one. */
  readonly urls: readonly string[];
  /** Programs that send its load; this process does where there are none. */
  readonly clients?: readonly Program[];
  /** From its start to its readiness. */
  readonly startMs: number;
}

/** How an API process differs from the first one. */
export interface ApiOptions {
  readonly nodeOptions?: readonly string[];
  /** As `taskset -c` takes them; the first core unless told otherwise. */
  readonly cores?: string;
  readonly env?: NodeJS.ProcessEnv;
}

/** Everything that is measured, and what measures it. */
export interface Stage {
  readonly sql: Sql;
  readonly databaseUrl: string;
  readonly api: Api;
  readonly issuer: Issuer;
  readonly upstream: Upstream;
  readonly programs: { readonly api: Served; readonly floors: Served };
  readonly directory: string;
  /** Rejects when a program or the database ends unexpectedly; never resolves. */
  readonly failed: Promise<never>;
  /** Whether programs can be pinned to cores. */
  readonly pinned: boolean;
  /** Starts one more API process, on a port of its own; the caller stops it. */
  startApi(options?: ApiOptions): Promise<Served>;
  /** Starts a program that sends load from these cores, as `taskset -c` takes them; the caller stops it. */
  startClient(cores: string): Promise<Program>;
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
  let fail: (error: Error) => void = () => undefined;
  const failed = new Promise<never>((_, reject) => {
    fail = reject;
  });
  failed.catch(() => undefined);
  const watched = <P extends Program>(program: P): P => {
    program.failed.catch(fail);
    return program;
  };
  try {
    say('starting the database');
    const server =
      databaseUrl === undefined ? await startEmbeddedPostgres({ dataDir: directory, log: quiet }) : undefined;
    if (server) {
      let asked = false;
      closers.push(() => {
        asked = true;
        return server.stop();
      });
      const log = join(directory, 'postgres.log');
      void server.ended.then(() => asked || fail(new Error(endedUnexpectedly('postgres', 'no code', log))));
    }
    const url = databaseUrl ?? server?.url ?? '';
    const issuer = await startIssuer();
    closers.push(() => issuer.close());
    const upstream = await startUpstream();
    closers.push(() => upstream.close());
    const settings = makeSettings(url, { issuer: issuer.url, upstream: upstream.url });
    const first = pinned ? '0' : undefined;
    const start = async (name: keyof typeof entries, { cores, env, nodeOptions = [] }: ApiOptions = {}) =>
      watched(
        await startServed({
          ...programOf(name, settings, directory),
          cores: pinned ? (cores ?? first) : undefined,
          env: { ...settings.env, ...env },
          nodeOptions,
        }),
      );
    say('starting the API');
    // The first start migrates; the second one is what a restart costs.
    await (await start('api')).stop();
    const api = await start('api');
    closers.push(() => api.stop());
    const floors = await start('floors');
    closers.push(() => floors.stop());
    const sql = postgres(url, { max: 4, onnotice: () => undefined });
    closers.push(() => sql.end({ timeout: 1 }));
    const caller = apiAt(api.url, settings.session);
    say(`making ${rows.toLocaleString('en')} rows`);
    await registerKinds(caller);
    await seed(sql, rows);
    return {
      sql,
      databaseUrl: url,
      api: caller,
      issuer,
      upstream,
      programs: { api, floors },
      directory,
      failed,
      pinned,
      startApi: (options) => start('api', options),
      startClient: async (cores) => {
        const client = watched(startProgram({ ...programOf('client', settings, directory), cores }));
        await messageOf(client);
        return client;
      },
      startCollector: () =>
        watched(startProgram({ ...programOf('collector', settings, directory), cores: undefined })),
      close,
    };
  } catch (error) {
    await close();
    throw error;
  }
}

function programOf(name: keyof typeof entries, { env }: Settings, directory: string) {
  return { name, entry: entries[name], env, log: join(directory, 'logs', `${name}.log`) };
}

async function startServed(options: ProgramOptions): Promise<Served> {
  // Port 0 is no address that the configuration takes.
  const listen = { PLATFORM__SERVER__LISTEN: `127.0.0.1:${await freePort()}` };
  const before = performance.now();
  const program = startProgram({ ...options, env: { ...options.env, ...listen } });
  const { port } = await messageOf<{ port: number }>(program);
  const url = `http://127.0.0.1:${port}`;
  return { ...program, url, urls: [url], startMs: performance.now() - before };
}

/** A port that was free a moment ago. */
async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  return port;
}
