import type { BatchPlan } from '@platform/garbage-collector';
import { arrayLiteral, type Statement } from '@platform/postgres';
import { cascadeFinalizer } from '@platform/resources';

/** Returns the statements of a plan: at most one DELETE and one UPDATE. One DELETE removes a whole tree, because foreign keys are checked at its end. */
export function statementsOf({ remove, change }: BatchPlan): readonly Statement[] {
  const statements: Statement[] = [];
  if (remove.length > 0) statements.push({ text: removeText, parameters: [arrayLiteral(remove)] });
  if (change.length > 0) {
    const uids = arrayLiteral(change.map(({ uid }) => uid));
    const tombstones = arrayLiteral(change.map(({ tombstone }) => tombstone));
    const finalizers = arrayLiteral(change.map((row) => row.cascadeFinalizer));
    statements.push({ text: changeText, parameters: [uids, tombstones, finalizers, cascadeFinalizer] });
  }
  return statements;
}

const removeText = 'delete from resources where uid = any($1::uuid[])';

const changeText = `
  update resources r set
    deletion_timestamp = case when c.tombstone then now() else r.deletion_timestamp end,
    finalizers = case c.cascade_finalizer
      when 'ensure' then r.finalizers || $4::text
      when 'drop' then array_remove(r.finalizers, $4::text)
      else r.finalizers end,
    revision = r.revision + 1, updated_at = now()
  from unnest($1::uuid[], $2::boolean[], $3::text[]) as c (uid, tombstone, cascade_finalizer)
  where r.uid = c.uid`;
