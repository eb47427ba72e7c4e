import type { Request } from '../load/send.ts';
import { levels, pathOf } from '../stage/kinds.ts';
import type { Stage } from '../stage/stage.ts';
import { rowOf, writtenRows } from '../stage/written-rows.ts';

/** An item that only one connection writes. */
export interface WrittenItem {
  readonly path: string;
  readonly name: string;
  readonly uid: string;
  revision: number;
}

/** The items that writes go to, with the revisions that they have now. */
export async function writtenItems({ sql }: Stage): Promise<readonly WrittenItem[]> {
  const kind = levels[1];
  if (kind === undefined) throw new Error('there is no kind at depth 1');
  const rows = await sql<{ uid: string; name: string; above: string; revision: string }[]>`
    select r.uid, r.name, p.name as above, r.revision from resources r join resources p on p.uid = r.parent_uid
    where r.kind = ${kind.kind} and r.name like 'item-%' order by r.uid limit ${writtenRows}`;
  return rows.map(({ uid, name, above, revision }) => ({
    uid,
    name,
    path: pathOf(kind, above, name),
    revision: Number(revision),
  }));
}

/** The requests of a connection: in its turn, what `write` makes of one of its own items. */
export function writing(
  items: readonly WrittenItem[],
  index: number,
  write: (item: WrittenItem, turn: number) => { readonly path: string; readonly body: string },
): Request[] {
  let turn = 0;
  const setupRequest = (request: object) => {
    const item = items[rowOf(index, turn++)];
    if (item === undefined) throw new Error('there are no items to write');
    return { ...request, ...write(item, turn) };
  };
  return [{ method: 'PUT', setupRequest }];
}
