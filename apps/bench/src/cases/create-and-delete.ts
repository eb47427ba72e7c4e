import { randomBytes } from 'node:crypto';
import type { BenchCase } from '../bench-case.ts';
import type { Fixture } from '../fixture/fixture.ts';
import { apiVersion, type Kind, kindAt, note, pathOf, spec } from '../fixture/kinds.ts';
import { insertNotes, removeRows, roots } from '../fixture/rows.ts';
import { driveHttp } from '../load/http.ts';
import type { Request } from '../load/send.ts';

/** Creates rows below each root in rotation; with `owned`, each has an owner reference to another root. */
export function create(kind: Kind, title: string, owned: boolean): BenchCase {
  return {
    name: `create ${title}`,
    baseline: 'baseline: INSERT',
    dependsOnTable: true,
    async run(fixture, load) {
      const references = owned ? await ownerReferences(fixture) : [''];
      const run = randomBytes(4).toString('hex');
      let count = 0;
      const next = (request: object) => {
        count += 1;
        const reference = references[count % references.length];
        const metadata = `{"name":"new-${run}-${count}"${reference && `,"ownerReferences":[${reference}]`}}`;
        return {
          ...request,
          path: pathOf(kind, `root-${1 + (count % roots)}`),
          body: `{"apiVersion":"${apiVersion}","kind":"${kind.kind}","metadata":${metadata},"spec":${spec}}`,
        };
      };
      const headers = { authorization: `Bearer ${fixture.api.session}`, 'content-type': 'application/json' };
      const requests: () => Request[] = () => [{ method: 'POST', setupRequest: next }];
      try {
        return await driveHttp(fixture.programs.api, { ...load, headers, requests });
      } finally {
        await removeRows(fixture.sql, kind.kind, `new-${run}-`);
      }
    },
  };
}

async function ownerReferences({ sql }: Fixture): Promise<string[]> {
  const rows = await sql<{ uid: string; name: string }[]>`
    select uid, name from resources where kind = 'Level0' and name like 'root-%' order by uid`;
  return rows.map(({ uid, name }) => JSON.stringify({ apiVersion, kind: kindAt(0).kind, name, uid }));
}

/** Deletes live rows that have no dependents. */
export const deleteLeaf: BenchCase = {
  name: 'delete leaf',
  baseline: 'baseline: DELETE',
  dependsOnTable: true,
  async run({ api, programs, sql }, load) {
    const run = randomBytes(4).toString('hex');
    const prepared = await insertNotes(sql, `gone-${run}-`, load.seconds);
    const headers = { authorization: `Bearer ${api.session}` };
    let count = 0;
    // After the last row, repeats its path: that is a 404, which is reported as a failure.
    const next = (request: object) => {
      count += 1;
      return { ...request, path: pathOf(note, 'root-3', `gone-${run}-${Math.min(count, prepared)}`) };
    };
    try {
      return await driveHttp(programs.api, {
        ...load,
        headers,
        requests: () => [{ method: 'DELETE', setupRequest: next }],
      });
    } finally {
      await removeRows(sql, note.kind, `gone-${run}-`);
    }
  },
};
