import type { BatchPlan } from '@platform/garbage-collector';
import { arrayLiteral, type Statement } from '@platform/postgres';
import { type Cascade, cascadeFinalizer, systemChange } from '@platform/resources';
import { changeAssignments, changeLiteral, inheritedMembers } from '../resources/change.ts';
import { tellRemovals } from '../resources/remove.ts';

/**
 * Returns the statements of a plan: at most one UPDATE and one DELETE. The UPDATE is first and from the top down, the DELETE from the bottom
 * up, because the change log has this order. One DELETE removes a whole tree: foreign keys are checked at its end.
 */
export function statementsOf({ remove, change, cascades }: BatchPlan): readonly Statement[] {
  const statements: Statement[] = [];
  const causeOf = causesIn(cascades);
  if (change.length > 0) {
    const topDown = [...change].sort((a, b) => causeOf(a.uid).depth - causeOf(b.uid).depth);
    const uids = arrayLiteral(topDown.map(({ uid }) => uid));
    const causes = arrayLiteral(topDown.map(({ uid }) => causeOf(uid).uid));
    const tombstones = arrayLiteral(topDown.map(({ tombstone }) => tombstone));
    const finalizers = arrayLiteral(topDown.map((row) => row.cascadeFinalizer));
    statements.push({
      text: changeText,
      parameters: [uids, causes, tombstones, finalizers, cascadeFinalizer, unknownDeletion],
    });
  }
  if (remove.length > 0) {
    const causes = arrayLiteral(remove.map((uid) => causeOf(uid).uid));
    statements.push({ text: removeText, parameters: [arrayLiteral(remove), causes, unknownDeletion] });
  }
  return statements;
}

/** The tombstone whose deletion a row inherits, and how many cascades are in between: the row itself when it was a tombstone before. */
function causesIn(cascades: readonly Cascade[]): (uid: string) => { uid: string; depth: number } {
  const owners = new Map(cascades.map(({ dependent, owner }) => [dependent.uid, owner.uid]));
  return (uid) => {
    let cause = uid;
    let depth = 0;
    for (; depth <= cascades.length; depth += 1) {
      const owner = owners.get(cause);
      if (owner === undefined) break;
      cause = owner;
    }
    return { uid: cause, depth };
  };
}

/** The context for tombstones without one: the previous release or SQL by hand made them. */
const unknownDeletion = changeLiteral(systemChange('collector', 'cascade'));

/** SQL of a join with what the rows of the table `given` inherit from their cause. */
const inheritedOr = (fallback: string) => `cross join lateral (
      select (coalesce((select r.deletion from resources r where r.uid = given.cause), ${fallback}::text[]))${inheritedMembers} as deletion
    ) as inherited`;

const changeText = `
  update resources r set
    deletion_timestamp = case when c.tombstone then now() else r.deletion_timestamp end,
    deletion = case when c.tombstone then array['cascade'] || c.deletion else r.deletion end,
    finalizers = case c.cascade_finalizer
      when 'ensure' then r.finalizers || $5::text
      when 'drop' then array_remove(r.finalizers, $5::text)
      else r.finalizers end,
    ${changeAssignments("array[case when c.tombstone then 'cascade' when c.cascade_finalizer = 'drop' then 'release' else 'finalizers' end] || c.deletion")},
    revision = r.revision + 1, updated_at = now()
  from (
    select given.*, inherited.deletion
    from unnest($1::uuid[], $2::uuid[], $3::boolean[], $4::text[]) as given (uid, cause, tombstone, cascade_finalizer)
    ${inheritedOr('$6')}
  ) as c
  where r.uid = c.uid`;

const removeText = `
  with told as materialized (
    select ${tellRemovals('given.uid', "'collect'::text || inherited.deletion", 'given.place')} as removals
    from unnest($1::uuid[], $2::uuid[]) with ordinality as given (uid, cause, place)
    ${inheritedOr('$3')}
  )
  delete from resources where uid = any($1::uuid[]) and (select removals is not null from told)`;
