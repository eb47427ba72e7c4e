import { arrayLiteral, type Sql } from '@platform/postgres';
import {
  type CreateCommand,
  isDeletionProtected,
  maxRowsAbove,
  ownerGraphTooLarge,
  type ReplaceCommand,
} from '@platform/resources';
import { advisoryLock } from '../../advisory-locks.ts';
import { isProtected } from './dependents.ts';
import { oncePer, parametersFrom, pathUid } from './locate.ts';

/**
 * Attack: a row far below is protected after a deletion has looked for protected rows, and before it commits. The two rows differ, so no
 * row lock would keep them apart. Therefore a write that protects a row first locks everything above it, parents and owners, `FOR KEY SHARE`:
 * the deletion of any of these holds its row `FOR UPDATE` from before the search to the commit. New edges are kept out by the graph lock.
 * Returns the uids of the locked rows.
 *
 * @throws Problem `owner_graph_too_large` when more than {@link maxRowsAbove} rows are above it.
 */
export async function lockAboveCreated(sql: Sql, command: CreateCommand): Promise<ReadonlySet<string>> {
  const { collection, ownerReferences } = command;
  const steps = collection.ancestors.flatMap(({ group, kind, name }) => [group, kind, name]);
  const owners = ownerReferences.map(({ uid }) => uid);
  return await lockAll(sql, createdText(collection.ancestors.length), [arrayLiteral(owners), ...steps]);
}

/** As {@link lockAboveCreated}, for a replacement that protects a row which was not protected before. */
export async function lockAboveReplaced(sql: Sql, { uid }: ReplaceCommand): Promise<void> {
  const [row] = await sql.rows<readonly [boolean]>(protectedText, [uid]);
  if (row === undefined || row[0]) return;
  await lockAll(sql, replacedText, [arrayLiteral([uid])]);
}

async function lockAll(
  sql: Sql,
  text: string,
  parameters: readonly (string | null)[],
): Promise<ReadonlySet<string>> {
  await sql.rows(graphText);
  const locked = await sql.rows<readonly [string]>(text, parameters);
  if (locked.length > maxRowsAbove) throw ownerGraphTooLarge();
  return new Set(locked.map(([uid]) => uid));
}

/** Whether a write may protect a row: it then runs in a transaction, after {@link lockAboveCreated} or {@link lockAboveReplaced}. */
export function mayProtect({ metadata }: CreateCommand | ReplaceCommand): boolean {
  return metadata !== '{"annotations":{}}' && isDeletionProtected(metadata);
}

const graphText = `select ${advisoryLock.graph}::text`;

const protectedText = `select ${isProtected('r')} from resources r where r.uid = $1::uuid`;

// In uid order, like every transaction that locks several rows. Offset 0: as in get-many.ts.
const textFrom = (seeds: string) => `
  with recursive above (uid) as (
    select seed.uid from unnest(${seeds}) as seed (uid) where seed.uid is not null
    union
    select edge.uid from above
    cross join lateral (select parent_uid, owner_references from resources where uid = above.uid offset 0) as r
    cross join lateral unnest(array_append(owner_uids(r.owner_references), r.parent_uid)) as edge (uid)
    where edge.uid is not null
  )
  select r.uid from resources r where r.uid = any(array(select uid from above limit ${maxRowsAbove + 1})) order by r.uid for key share`;

const replacedText = textFrom('$1::uuid[]');

const createdText = oncePer((depth: number) =>
  textFrom(`array_append($1::uuid[], ${pathUid(depth, parametersFrom(2))})`),
);
