import { randomBytes } from 'node:crypto';
import { driveHttp } from '../load/http.ts';
import type { Request } from '../load/send.ts';
import { apiVersion, type Kind, levels, pathOf, spec } from '../stage/kinds.ts';
import { removeRows } from '../stage/remove-rows.ts';
import { roots } from '../stage/seed.ts';
import type { Stage } from '../stage/stage.ts';
import type { BenchCase } from './case.ts';

/** Creates below the roots in turn; `owned` gives each an owner reference to another root. */
export function create(kind: Kind | undefined, title: string, owned: boolean): BenchCase {
  if (kind === undefined) throw new Error('there is no such kind');
  return {
    name: `create ${title}`,
    floor: 'floor: INSERT',
    ofTable: true,
    async run(stage, load) {
      const references = owned ? await ownerReferences(stage) : [''];
      const run = randomBytes(4).toString('hex');
      let turn = 0;
      const next = (request: object) => {
        turn += 1;
        const reference = references[turn % references.length];
        const metadata = `{"name":"new-${run}-${turn}"${reference && `,"ownerReferences":[${reference}]`}}`;
        return {
          ...request,
          path: pathOf(kind, `root-${1 + (turn % roots)}`),
          body: `{"apiVersion":"${apiVersion}","kind":"${kind.kind}","metadata":${metadata},"spec":${spec}}`,
        };
      };
      const headers = { authorization: `Bearer ${stage.api.session}`, 'content-type': 'application/json' };
      const requests: () => Request[] = () => [{ method: 'POST', setupRequest: next }];
      try {
        return await driveHttp(stage.programs.api, { ...load, headers, requests });
      } finally {
        await removeRows(stage.sql, kind.kind, `new-${run}-`);
      }
    },
  };
}

async function ownerReferences({ sql }: Stage): Promise<string[]> {
  const rows = await sql<{ uid: string; name: string }[]>`
    select uid, name from resources where kind = 'Level0' and name like 'root-%' order by uid`;
  return rows.map(({ uid, name }) => JSON.stringify({ apiVersion, kind: levels[0]?.kind, name, uid }));
}
