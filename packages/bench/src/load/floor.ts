import { messageOf } from '../stage/program.ts';
import type { Served } from '../stage/stage.ts';
import type { Load, Sample } from './sample.ts';

/** A statement that the floors program repeats. */
export type Statement = 'select' | 'insert' | 'update status' | 'replace';

/** Has the floors program repeat a statement on as many database connections. */
export async function driveSql(floors: Served, statement: Statement, load: Load): Promise<Sample> {
  const cpuBefore = floors.cpuSeconds();
  floors.child.send({ statement, ...load });
  const { count, seconds, failures } = await messageOf<{ count: number; seconds: number; failures: number }>(
    floors,
  );
  const cpuAfter = floors.cpuSeconds();
  const cpu = cpuBefore === undefined || cpuAfter === undefined ? undefined : cpuAfter - cpuBefore;
  return {
    perSecond: count / seconds,
    cpuMicros: cpu === undefined ? undefined : (cpu * 1e6) / count,
    failures,
  };
}
