import { driveSql, type Statement } from '../load/floor.ts';
import { driveHttp } from '../load/http.ts';
import type { BenchCase } from './case.ts';

/** What the machine does without the platform, in the same run. */
export const floors = {
  http: served('floor: node:http', '/http'),
  express: served('floor: express res.json', '/express'),
  page: served('floor: page, parsed and serialized', '/page'),
  select: statement('floor: SELECT', 'select'),
  insert: statement('floor: INSERT', 'insert'),
  updateStatus: statement('floor: UPDATE status', 'update status'),
  updateSpec: statement('floor: UPDATE spec', 'replace'),
};

function served(name: string, path: string): BenchCase {
  return {
    name,
    run: ({ programs }, load) =>
      driveHttp(programs.floors, { ...load, requests: () => [{ method: 'GET', path }] }),
  };
}

function statement(name: string, which: Statement): BenchCase {
  return { name, ofTable: true, run: ({ programs }, load) => driveSql(programs.floors, which, load) };
}
