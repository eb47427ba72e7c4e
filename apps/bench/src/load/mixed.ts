import { randomBytes } from 'node:crypto';
import type { Load, Sample } from '../bench-case.ts';
import { writeRequests, writtenItems } from '../cases/writes.ts';
import type { Fixture, ServedProgram } from '../fixture/fixture.ts';
import { apiVersion, kindAt, note, pathOf, spec } from '../fixture/kinds.ts';
import { removeRows, roots } from '../fixture/rows.ts';
import { driveHttp } from './http.ts';
import type { Request } from './send.ts';

/** Drives an API process with a typical mix: reads, pages, status writes, creates and deletes in equal numbers. */
export async function driveMixed(fixture: Fixture, program: ServedProgram, load: Load): Promise<Sample> {
  const kind = kindAt(1);
  const { api, sql } = fixture;
  const items = await writtenItems(fixture);
  const run = randomBytes(4).toString('hex');
  const headers = { authorization: `Bearer ${api.session}`, 'content-type': 'application/json' };
  let created = 0;
  const requests = (index: number): Request[] => {
    const parent = `root-${1 + (index % roots)}`;
    let name = '';
    const create = (request: object) => {
      name = `mixed-${run}-${created++}`;
      const body = `{"apiVersion":"${apiVersion}","kind":"${note.kind}","metadata":{"name":"${name}"},"spec":${spec}}`;
      return { ...request, path: pathOf(note, parent), body };
    };
    return [
      { method: 'GET', path: pathOf(kind, parent, `item-${1 + (index % 50)}`) },
      { method: 'GET', path: `${pathOf(kind, parent)}?limit=20` },
      ...writeRequests(items, index, ({ path }, count) => ({
        path: `${path}/status`,
        body: `{"status":{"observed":${count}}}`,
      })),
      { method: 'POST', setupRequest: create },
      { method: 'DELETE', setupRequest: (request) => ({ ...request, path: pathOf(note, parent, name) }) },
    ];
  };
  try {
    return await driveHttp(program, { ...load, headers, requests });
  } finally {
    await removeRows(sql, note.kind, `mixed-${run}-`);
  }
}
