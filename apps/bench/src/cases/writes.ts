import type { BenchCase } from '../bench-case.ts';
import type { Fixture } from '../fixture/fixture.ts';
import { apiVersion, kindAt, pathOf, spec } from '../fixture/kinds.ts';
import { rowOf, writtenRows } from '../fixture/rows.ts';
import { driveHttp } from '../load/http.ts';
import type { Request } from '../load/send.ts';

/** An item that only one connection writes. */
interface WrittenItem {
  readonly path: string;
  readonly name: string;
  readonly uid: string;
  revision: number;
}

/** Loads the items that the write cases use, with their current revisions. */
export async function writtenItems({ sql }: Fixture): Promise<readonly WrittenItem[]> {
  const kind = kindAt(1);
  const rows = await sql<{ uid: string; name: string; parent: string; revision: string }[]>`
    select r.uid, r.name, p.name as parent, r.revision from resources r join resources p on p.uid = r.parent_uid
    where r.kind = ${kind.kind} and r.name like 'item-%' order by r.uid limit ${writtenRows}`;
  return rows.map(({ uid, name, parent, revision }) => ({
    uid,
    name,
    path: pathOf(kind, parent, name),
    revision: Number(revision),
  }));
}

/** The requests of one connection: each request writes the next of the items that belong to this connection. */
export function writeRequests(
  items: readonly WrittenItem[],
  connection: number,
  write: (item: WrittenItem, count: number) => { readonly path: string; readonly body: string },
): Request[] {
  let count = 0;
  const setupRequest = (request: object) => {
    const item = items[rowOf(connection, count++)];
    if (item === undefined) throw new Error('the table has no items to write');
    return { ...request, ...write(item, count) };
  };
  return [{ method: 'PUT', setupRequest }];
}

/** Replaces an item with the revision that the connection knows, and with a spec that differs each time. */
export const replace: BenchCase = {
  name: 'replace',
  baseline: 'baseline: UPDATE spec',
  dependsOnTable: true,
  async run(fixture, load) {
    const items = await writtenItems(fixture);
    return driveHttp(fixture.programs.api, {
      ...load,
      headers: headersOf(fixture),
      requests: (index) =>
        writeRequests(items, index, (item, count) => {
          const metadata = `{"name":"${item.name}","revision":${item.revision++}}`;
          const changed = spec.replace('"size":3', `"size":${count}`);
          return {
            path: item.path,
            body: `{"apiVersion":"${apiVersion}","kind":"Level1","metadata":${metadata},"spec":${changed}}`,
          };
        }),
    });
  },
};

export const replaceStatus: BenchCase = {
  name: 'replace status',
  baseline: 'baseline: UPDATE status',
  dependsOnTable: true,
  async run(fixture, load) {
    const items = await writtenItems(fixture);
    return driveHttp(fixture.programs.api, {
      ...load,
      headers: headersOf(fixture),
      requests: (index) =>
        writeRequests(items, index, ({ path }, count) => ({
          path: `${path}/status`,
          body: `{"status":{"observed":${count}}}`,
        })),
    });
  },
};

/** Adds a finalizer to an item, and removes it the next time the connection writes this item. */
export const changeFinalizers: BenchCase = {
  name: 'change finalizers',
  baseline: 'baseline: UPDATE status',
  dependsOnTable: true,
  async run(fixture, load) {
    const items = await writtenItems(fixture);
    const held = new Set<number>();
    return driveHttp(fixture.programs.api, {
      ...load,
      headers: headersOf(fixture),
      requests: (index) =>
        writeRequests(items, index, ({ path }, count) => {
          const row = rowOf(index, count - 1);
          const verb = held.delete(row) ? 'remove' : 'add';
          if (verb === 'add') held.add(row);
          return { path: `${path}/finalizers`, body: `{"${verb}":["bench.example.dev/hold"]}` };
        }),
    });
  },
};

function headersOf({ api }: Fixture): Record<string, string> {
  return { authorization: `Bearer ${api.session}`, 'content-type': 'application/json' };
}
