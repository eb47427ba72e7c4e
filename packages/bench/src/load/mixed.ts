import { randomBytes } from 'node:crypto';
import { writing, writtenItems } from '../cases/written-items.ts';
import { apiVersion, levels, note, pathOf, spec } from '../stage/kinds.ts';
import { removeRows } from '../stage/remove-rows.ts';
import { roots } from '../stage/seed.ts';
import type { Served, Stage } from '../stage/stage.ts';
import { driveHttp } from './http.ts';
import type { Load, Sample } from './sample.ts';
import type { Request } from './send.ts';

/** What an installation does all day, at an API process of the caller's: reads, pages, status writes, creates and deletes, as many of each. */
export async function driveMixed(stage: Stage, program: Served, load: Load): Promise<Sample> {
  const [, kind] = levels;
  if (kind === undefined) throw new Error('there is no kind at depth 1');
  const { api, sql } = stage;
  const items = await writtenItems(stage);
  const run = randomBytes(4).toString('hex');
  const headers = { authorization: `Bearer ${api.session}`, 'content-type': 'application/json' };
  let made = 0;
  const requests = (index: number): Request[] => {
    const home = `root-${1 + (index % roots)}`;
    let name = '';
    const create = (request: object) => {
      name = `mixed-${run}-${made++}`;
      const body = `{"apiVersion":"${apiVersion}","kind":"${note.kind}","metadata":{"name":"${name}"},"spec":${spec}}`;
      return { ...request, path: pathOf(note, home), body };
    };
    return [
      { method: 'GET', path: pathOf(kind, home, `item-${1 + (index % 50)}`) },
      { method: 'GET', path: `${pathOf(kind, home)}?limit=20` },
      ...writing(items, index, ({ path }, turn) => ({
        path: `${path}/status`,
        body: `{"status":{"observed":${turn}}}`,
      })),
      { method: 'POST', setupRequest: create },
      { method: 'DELETE', setupRequest: (request) => ({ ...request, path: pathOf(note, home, name) }) },
    ];
  };
  try {
    return await driveHttp(program, { ...load, headers, requests });
  } finally {
    await removeRows(sql, note.kind, `mixed-${run}-`);
  }
}
