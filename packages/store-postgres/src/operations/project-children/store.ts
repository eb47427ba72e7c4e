import type { Sql } from '@platform/postgres';
import type {
  Changes,
  ChildStore,
  ChildStores,
  ChildWriter,
  ChildWriters,
  ProjectChild,
} from '@platform/projects';
import { and, asc, eq, sql as expression, gt } from 'drizzle-orm';
import { query } from '../../drizzle.ts';
import type { environments } from '../../schema/projects.ts';
import { type ChildMapping, childMappings } from './tables.ts';

/** The columns that every kind below projects has; rows come with those of the kind as well. */
type Shared = typeof environments;

/** Reads every kind below projects. */
export function createChildStores(sql: Sql): ChildStores {
  return forEachKind((mapping) => createChildStore(sql, mapping)) as ChildStores;
}

/** Changes every kind below a project that the transaction has locked. */
export function createChildWriters(sql: Sql): ChildWriters {
  return forEachKind((mapping) => createChildWriter(sql, mapping)) as ChildWriters;
}

function forEachKind(create: (mapping: ChildMapping<ProjectChild>) => unknown): object {
  return Object.fromEntries(
    Object.entries(childMappings).map(([name, mapping]) => [
      name,
      create(mapping as ChildMapping<ProjectChild>),
    ]),
  );
}

/** Reads one kind below projects: the same statements for every table. */
function createChildStore<R extends ProjectChild>(sql: Sql, mapping: ChildMapping<R>): ChildStore<R> {
  const table = mapping.table as Shared;
  return {
    async find(projectUid, name) {
      const [row] = await query(sql, (db) =>
        db
          .select()
          .from(table)
          .where(and(eq(table.projectUid, projectUid), eq(table.name, name))),
      );
      return row === undefined ? null : mapping.read(row);
    },
    async list(projectUid, { limit, after }) {
      const rows = await query(sql, (db) =>
        db
          .select()
          .from(table)
          .where(and(eq(table.projectUid, projectUid), gt(table.name, after ?? '')))
          .orderBy(asc(table.name))
          .limit(limit + 1),
      );
      return { items: rows.slice(0, limit).map((row) => mapping.read(row)), more: rows.length > limit };
    },
  };
}

/** Changes one kind below a project that the transaction has locked. */
function createChildWriter<R extends ProjectChild>(sql: Sql, mapping: ChildMapping<R>): ChildWriter<R> {
  const table = mapping.table as Shared;
  return {
    async lock(projectUid, name) {
      const [row] = await query(sql, (db) =>
        db
          .select()
          .from(table)
          .where(and(eq(table.projectUid, projectUid), eq(table.name, name)))
          .for('update'),
      );
      return row === undefined ? null : mapping.read(row);
    },
    async insert(draft) {
      // A draft has every member of the kind.
      const own = draft as unknown as Changes<R> & { readonly projectUid: string };
      if ((await mapping.hasReferences?.(sql, own)) === false) return { outcome: 'referenceMissing' };
      const { uid, projectUid, name } = draft;
      const values = { uid, projectUid, name, ...mapping.write(own) };
      const [row] = await query(sql, (db) =>
        db.insert(table).values(values).onConflictDoNothing().returning(),
      );
      if (row !== undefined) return { outcome: 'created', record: mapping.read(row) };
      // Names are settled by the lock on the project; client ids of extensions are unique over all projects.
      const [sibling] = await query(sql, (db) =>
        db
          .select({ uid: table.uid })
          .from(table)
          .where(and(eq(table.projectUid, projectUid), eq(table.name, name))),
      );
      return { outcome: sibling === undefined ? 'clientIdTaken' : 'nameTaken' };
    },
    async update(uid, changes) {
      const set = { ...mapping.write(changes), revision: expression`${table.revision} + 1` };
      const [row] = await query(sql, (db) => db.update(table).set(set).where(eq(table.uid, uid)).returning());
      if (row === undefined) throw new Error('a row was updated that the transaction has not locked');
      return mapping.read(row);
    },
    async remove(uid) {
      if ((await mapping.isReferenced?.(sql, uid)) === true) return 'inUse';
      await query(sql, (db) => db.delete(table).where(eq(table.uid, uid)));
      return 'removed';
    },
  };
}
