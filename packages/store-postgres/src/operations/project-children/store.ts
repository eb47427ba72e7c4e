import type { ChildStore, PageOf, PageQuery, ProjectChild } from '@platform/projects';
import type { Sql } from '../../connection.ts';
import type { Patience } from '../../patience.ts';
import { sqlState, stateOf, violatedConstraint } from '../../sqlstate.ts';
import type { ChildTable } from './child-table.ts';

/** Columns that every kind below projects has; the kind's own follow. */
const shared = 4;

/** One kind below projects, on PostgreSQL: the same statements for every table. */
export function createChildStore<R extends ProjectChild>(
  sql: Sql,
  kind: ChildTable<R>,
  patiently: Patience,
): ChildStore<R> {
  const { table, columns } = kind;
  const own = columns.map(({ name }) => `, ${name}`).join('');
  const selected = `uid, project_uid, name, created_at${own}`;
  const find = `select ${selected} from ${table} where project_uid = $1::uuid and name = $2::text`;
  const list = `select ${selected} from ${table} where project_uid = $1::uuid and name > $2::text order by name limit $3::bigint`;
  const insert = `
    insert into ${table} (uid, project_uid, name${own})
    values ($1::uuid, $2::uuid, $3::text${columns.map(({ type }, index) => `, $${index + 4}::${type}`).join('')})
    returning ${selected}`;
  // A kind without columns of its own has nothing to replace; writing uid to itself keeps the statement one and the same.
  const assignments =
    columns.map(({ name, type }, index) => `${name} = $${index + 2}::${type}`).join(', ') || 'uid = uid';
  const replace = `update ${table} set ${assignments} where uid = $1::uuid returning ${selected}`;
  const remove = `delete from ${table} where project_uid = $1::uuid and name = $2::text returning uid`;

  const toRecord = (row: readonly unknown[]): R => {
    const [uid, projectUid, name, createdAt] = row as readonly [string, string, string, string];
    return kind.read({ uid, projectUid, name, createdAt }, row.slice(shared));
  };

  return {
    async find(projectUid, name) {
      const [row] = await sql.rows(find, [projectUid, name]);
      return row === undefined ? null : toRecord(row);
    },
    async list(projectUid: string, page: PageQuery): Promise<PageOf<R>> {
      const rows = await sql.rows(list, [projectUid, page.after ?? '', page.limit + 1]);
      return { items: rows.slice(0, page.limit).map(toRecord), more: rows.length > page.limit };
    },
    insert: (draft) =>
      patiently(async () => {
        try {
          const [row] = await sql.rows(insert, [
            draft.uid,
            draft.projectUid,
            draft.name,
            ...kind.write(draft),
          ]);
          return { outcome: 'created', record: toRecord(row ?? []) };
        } catch (error) {
          return { outcome: insertRefusal(error) };
        }
      }),
    replace: (draft) =>
      patiently(async () => {
        const [row] = await sql.rows(replace, [draft.uid, ...kind.write(draft)]);
        return row === undefined ? null : toRecord(row);
      }),
    remove: (projectUid, name) =>
      patiently(async () => {
        try {
          return (await sql.rows(remove, [projectUid, name])).length === 1 ? 'removed' : 'missing';
        } catch (error) {
          if (stateOf(error) === sqlState.foreignKeyViolation) return 'inUse';
          throw error;
        }
      }),
  };
}

function insertRefusal(error: unknown): 'nameTaken' | 'projectMissing' | 'referenceMissing' {
  if (stateOf(error) === sqlState.uniqueViolation) return 'nameTaken';
  if (stateOf(error) !== sqlState.foreignKeyViolation) throw error;
  return violatedConstraint(error)?.endsWith('_project_fkey') ? 'projectMissing' : 'referenceMissing';
}
