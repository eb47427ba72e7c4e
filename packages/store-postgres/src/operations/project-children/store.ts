import { isPlainObject } from '@platform/kernel';
import type { Sql } from '@platform/postgres';
import type { ChildRecords, ChildStore, ChildStores, ChildWriter, ChildWriters } from '@platform/projects';
import { and, asc, eq, sql as expression, getTableColumns, gt } from 'drizzle-orm';
import { query } from '../../drizzle.ts';
import { childTables, type environments } from '../../schema/projects.ts';
import { references } from './references.ts';

type ChildName = keyof ChildRecords;
/** The columns that every kind below projects has; rows come with those of the kind as well. */
type Shared = typeof environments;
/** Extensions have the client id as well, which follows from the names. */
type Columns = ReturnType<typeof getTableColumns<Shared>> & { readonly clientId?: unknown };

/** Reads every kind below projects. */
export function createChildStores(sql: Sql): ChildStores {
  return forEachKind((name) => createChildStore(sql, name)) as ChildStores;
}

/** Changes every kind below a project that the transaction has locked. */
export function createChildWriters(sql: Sql): ChildWriters {
  return forEachKind((name) => createChildWriter(sql, name)) as ChildWriters;
}

function forEachKind(create: (name: ChildName) => unknown): object {
  return Object.fromEntries(Object.keys(childTables).map((name) => [name, create(name as ChildName)]));
}

/** The table of the kind, and its columns that records have. */
function tableOf(name: ChildName) {
  const table = childTables[name] as Shared;
  const { clientId: _derived, ...columns }: Columns = getTableColumns(table);
  return { table, columns };
}

/** drizzle asks every value for its constructor, and claim patterns have no prototype. */
function withPrototypes<T extends object>(values: T): T {
  const entries = Object.entries(values).map(([name, value]) => [
    name,
    isPlainObject(value) ? { ...value } : value,
  ]);
  return Object.fromEntries(entries) as T;
}

/** Reads one kind below projects: the same statements for every table. */
function createChildStore<Name extends ChildName>(sql: Sql, name: Name): ChildStore<ChildRecords[Name]> {
  const { table, columns } = tableOf(name);
  return {
    async find(projectUid, name) {
      const [row] = await query(sql, (db) =>
        db
          .select(columns)
          .from(table)
          .where(and(eq(table.projectUid, projectUid), eq(table.name, name))),
      );
      return row === undefined ? null : (row as ChildRecords[Name]);
    },
    async list(projectUid, { limit, after }) {
      const rows = await query(sql, (db) =>
        db
          .select(columns)
          .from(table)
          .where(and(eq(table.projectUid, projectUid), gt(table.name, after ?? '')))
          .orderBy(asc(table.name))
          .limit(limit + 1),
      );
      return { items: rows.slice(0, limit) as ChildRecords[Name][], more: rows.length > limit };
    },
  };
}

/** Changes one kind below a project that the transaction has locked. */
function createChildWriter<Name extends ChildName>(sql: Sql, kind: Name): ChildWriter<ChildRecords[Name]> {
  const { table, columns } = tableOf(kind);
  return {
    async lock(projectUid, name) {
      const [row] = await query(sql, (db) =>
        db
          .select(columns)
          .from(table)
          .where(and(eq(table.projectUid, projectUid), eq(table.name, name)))
          .for('update'),
      );
      return row === undefined ? null : (row as ChildRecords[Name]);
    },
    async insert(draft) {
      if ((await references[kind]?.hasReferences?.(sql, draft)) === false)
        return { outcome: 'referenceMissing' };
      const [row] = await query(sql, (db) =>
        db.insert(table).values(withPrototypes(draft)).onConflictDoNothing().returning(columns),
      );
      if (row !== undefined) return { outcome: 'created', record: row as ChildRecords[Name] };
      // Names are settled by the lock on the project; client ids of extensions are unique over all projects.
      const [sibling] = await query(sql, (db) =>
        db
          .select({ uid: table.uid })
          .from(table)
          .where(and(eq(table.projectUid, draft.projectUid), eq(table.name, draft.name))),
      );
      return { outcome: sibling === undefined ? 'clientIdTaken' : 'nameTaken' };
    },
    async update(uid, changes) {
      const set = { ...withPrototypes(changes), revision: expression`${table.revision} + 1` };
      const [row] = await query(sql, (db) =>
        db.update(table).set(set).where(eq(table.uid, uid)).returning(columns),
      );
      if (row === undefined) throw new Error('a row was updated that the transaction has not locked');
      return row as ChildRecords[Name];
    },
    async remove(uid) {
      if ((await references[kind]?.isReferenced?.(sql, uid)) === true) return 'inUse';
      await query(sql, (db) => db.delete(table).where(eq(table.uid, uid)));
      return 'removed';
    },
  };
}
