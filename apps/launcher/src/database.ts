import { setTimeout as delay } from 'node:timers/promises';
import { type Config, createDataDirectory } from '@platform/config';
import { startEmbeddedPostgres } from '@platform/development';
import { type Clock, type Logger, systemClock } from '@platform/kernel';
import { decideRestart } from './supervise.ts';

/** The database that the platform uses. */
export interface Database {
  readonly url: string;
  /** Resolves with the reason when an embedded server cannot be kept running. */
  readonly failed: Promise<string>;
  stop(): Promise<void>;
}

/** Starts the embedded PostgreSQL, or uses the one of `database.url`, which the launcher does not stop. */
export async function provideDatabase(
  config: Config,
  logger: Logger,
  clock: Clock = systemClock,
): Promise<Database> {
  const { url, data_dir: dataDir, port } = config.database;
  if (url !== undefined) return { url, failed: new Promise(() => {}), stop: async () => {} };
  createDataDirectory(dataDir);
  const maxConnections = connectionsFor(config);
  const start = (at: number) => startEmbeddedPostgres({ dataDir, port: at, maxConnections, log: logger });
  let server = await start(port);
  let stopping = false;

  // The API and the collector survive an outage if the server restarts on the same port.
  const watch = async (): Promise<string> => {
    const ends: number[] = [];
    let reason: string | undefined;
    for (;;) {
      await server.ended;
      if (stopping) return 'the embedded PostgreSQL has stopped';
      ends.push(clock.now());
      const decision = decideRestart(ends, clock.now());
      if (!decision.restart)
        return reason ?? `the embedded PostgreSQL does not stay up (${dataDir}/postgres.log)`;
      logger.error('the embedded PostgreSQL ended unexpectedly and is started again', {
        ...decision,
        reason,
      });
      await delay(decision.delayMs);
      reason = undefined;
      try {
        if (!stopping) server = await start(server.port);
      } catch (error) {
        // Such as a full disk. It counts as an exit, because `server` has ended.
        reason = (error as Error).message;
      }
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

/** Connections of an API process beyond `database.pool_max`, those of a collector, and some for people; see docs/deploy.md#scaling-out. */
const others = { perWorker: 3, collector: 6, people: 20 };

/** The `max_connections` of the embedded server: enough when every process opens as many as it may. */
export function connectionsFor({
  database,
  server,
}: {
  readonly database: Pick<Config['database'], 'pool_max'>;
  readonly server: Pick<Config['server'], 'workers'>;
}): number {
  const ofWorkers = server.workers * (database.pool_max + others.perWorker);
  return Math.max(100, ofWorkers + others.collector + others.people);
}
