import { setTimeout as delay } from 'node:timers/promises';
import type { Config } from '@platform/config';
import { startEmbeddedPostgres } from '@platform/development';
import { type Clock, type Logger, systemClock } from '@platform/kernel';
import { decideRestart } from './restart-policy.ts';

/** The database that the platform uses. */
export interface Database {
  readonly url: string;
  /** Resolves with the reason when an embedded server cannot be kept running. */
  readonly failed: Promise<string>;
  stop(): Promise<void>;
}

/** Starts the embedded PostgreSQL, or takes the one that `database.url` names, which is not ours to stop. */
export async function provideDatabase(
  { database, server: { workers } }: Config,
  logger: Logger,
  clock: Clock = systemClock,
): Promise<Database> {
  const { url, data_dir: dataDir, port } = database;
  if (url !== undefined) return { url, failed: new Promise(() => {}), stop: async () => {} };
  // The workers of the API, the collector, and some for people who want to look.
  const maxConnections = Math.max(100, (workers + 1) * database.pool_max + 20);
  const start = (at: number) => startEmbeddedPostgres({ dataDir, port: at, maxConnections, log: logger });
  let server = await start(port);
  let stopping = false;

  // The API and the collector survive the outage and know the address: the server comes back there.
  const watch = async (): Promise<string> => {
    const ends: number[] = [];
    for (;;) {
      await server.ended;
      if (stopping) return 'the embedded PostgreSQL has stopped';
      ends.push(clock.now());
      const decision = decideRestart(ends, clock.now());
      if (!decision.restart) return `the embedded PostgreSQL does not stay up (${dataDir}/postgres.log)`;
      logger.error('the embedded PostgreSQL ended unexpectedly and is started again', { ...decision });
      await delay(decision.delayMs);
      if (!stopping) server = await start(server.port);
      if (stopping) await server.stop();
    }
  };
  const failed = watch().catch((error: Error) => error.message);
  return {
    url: server.url,
    failed,
    async stop() {
      stopping = true;
      await server.stop();
      await failed;
    },
  };
}
