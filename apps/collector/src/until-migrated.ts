import { backoff, explainError, type Logger } from '@platform/kernel';
import { pause } from '@platform/service-runtime';

const waits = { firstMs: 100, longestMs: 2_000 };
const remindMs = 30_000;

/**
 * Waits until the database has every migration of this build. An API process applies them; the collector, which needs no right to change
 * the schema, only waits, for as long as it takes, an outage included.
 */
export async function untilMigrated(
  database: { migrationsApplied(): Promise<boolean> },
  log: Logger,
  stopping: AbortSignal,
): Promise<void> {
  let remindAt = 0;
  for (let attempt = 0; !stopping.aborted; attempt += 1) {
    const obstacle = await obstacleOf(database);
    if (obstacle === null) return;
    if (performance.now() >= remindAt) {
      log.info('waiting for the database', { obstacle });
      remindAt = performance.now() + remindMs;
    }
    await pause(backoff(attempt, waits), stopping);
  }
}

async function obstacleOf(database: { migrationsApplied(): Promise<boolean> }): Promise<string | null> {
  try {
    return (await database.migrationsApplied()) ? null : 'it is not migrated yet';
  } catch (error) {
    return explainError(error as Error);
  }
}
