import { setTimeout as delay } from 'node:timers/promises';

const patienceMs = 10_000;
const pauseMs = 5;
/** So often in a row nothing may run: between two statements of a request there is a moment without one. */
const looks = 3;

/**
 * Waits until a process runs no statement: the load generator breaks its connections off at the end, and what their last
 * requests do to revisions must be over before the next case reads them. Gives up after 10 s; at once when the process has no such metric.
 */
export async function untilIdle(url: string): Promise<void> {
  const end = performance.now() + patienceMs;
  for (let idle = 0; idle < looks && performance.now() < end; ) {
    const response = await fetch(`${url}/metrics`);
    const running = runningStatements(await response.text());
    if (running === undefined) return;
    idle = running === 0 ? idle + 1 : 0;
    await delay(pauseMs);
  }
}

/** Statements that run or wait for a connection, by the metrics of a process; undefined when it does not tell. */
export function runningStatements(metrics: string): number | undefined {
  const gauge = /^platform_api_database_connections\{state="(?:busy|waiting)"\} (\d+)$/gm;
  const values = [...metrics.matchAll(gauge)].map(([, value]) => Number(value));
  return values.length === 0 ? undefined : values.reduce((sum, value) => sum + value);
}
