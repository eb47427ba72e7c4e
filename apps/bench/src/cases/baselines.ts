import type { BenchCase, Load, Sample } from '../bench-case.ts';
import type { ServedProgram } from '../fixture/fixture.ts';
import { nextMessage } from '../fixture/program.ts';
import { driveHttp } from '../load/http.ts';

/** A statement that the baseline program can repeat. */
export type Statement = 'select' | 'insert' | 'delete' | 'update status' | 'replace';

/** The baselines: operations on the same machine without the platform, measured in the same run. */
export const baselines = {
  http: httpBaseline('baseline: node:http', '/http'),
  express: httpBaseline('baseline: express res.json', '/express'),
  page: httpBaseline('baseline: page, parsed and serialized', '/page'),
  select: sqlBaseline('baseline: SELECT', 'select'),
  insert: sqlBaseline('baseline: INSERT', 'insert'),
  delete: sqlBaseline('baseline: DELETE', 'delete'),
  updateStatus: sqlBaseline('baseline: UPDATE status', 'update status'),
  updateSpec: sqlBaseline('baseline: UPDATE spec', 'replace'),
};

function httpBaseline(name: string, path: string): BenchCase {
  return {
    name,
    run: ({ programs }, load) =>
      driveHttp(programs.baselines, { ...load, requests: () => [{ method: 'GET', path }] }),
  };
}

function sqlBaseline(name: string, statement: Statement): BenchCase {
  return {
    name,
    dependsOnTable: true,
    run: ({ programs }, load) => driveSql(programs.baselines, statement, load),
  };
}

/** Makes the baseline program repeat a statement on the given number of database connections. */
async function driveSql(program: ServedProgram, statement: Statement, load: Load): Promise<Sample> {
  const cpuBefore = program.cpuSeconds();
  program.child.send({ statement, ...load });
  const { count, seconds, failures } = await nextMessage<{
    count: number;
    seconds: number;
    failures: number;
  }>(program);
  const cpuAfter = program.cpuSeconds();
  const cpu = cpuBefore === undefined || cpuAfter === undefined ? undefined : cpuAfter - cpuBefore;
  return {
    perSecond: count / seconds,
    cpuMicros: cpu === undefined ? undefined : (cpu * 1e6) / count,
    failures,
  };
}
