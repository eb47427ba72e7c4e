import { randomUUID } from 'node:crypto';
import type { AuditRecord } from '@platform/access';
import { timeoutFactor, whileHeld } from '@platform/development/testing';
import { given } from '../../../test/rows.ts';
import { audit } from '../../../test/statements/typed-operations.ts';
import { testStore } from '../../../test/store.ts';
import { expireChanges } from '../change-log/expire.ts';
import { createAuditStore } from './audit-store.ts';
import { keepAuditPartitions } from './partitions.ts';

const fixture = testStore({ poolMax: 3 });
const { database } = fixture;

const daysAgo = (days: number) => new Date(Date.now() - days * 86_400_000).toISOString();
const recordAt = (time: string): AuditRecord => ({ ...audit(1), id: randomUUID(), time });
const stored = async ({ id }: Pick<AuditRecord, 'id'>) =>
  (await database.sql`select tableoid::regclass::text as partition from audit_records where id = ${id}`).map(
    (row) => row['partition'] as string,
  );

const partitions = async (parent: string) =>
  (
    await database.sql`
      select inhrelid::regclass::text as name from pg_inherits where inhparent = ${parent}::regclass order by 1`
  ).map((row) => row['name'] as string);

it('stores a record of a machine whose clock is far behind, and deletes it with the retention', async () => {
  const store = createAuditStore(fixture.store.database);
  const record = recordAt('1970-01-02T00:00:00.000Z');
  await store.append([recordAt(daysAgo(0)), record]);
  expect(await stored(record)).toEqual(['audit_records_other']);
  expect(await keepAuditPartitions(fixture.store.database, daysAgo(400), 10)).toBe(1);
  expect(await stored(record)).toEqual([]);
});

it('keeps what audit needs of changes of months that a shorter retention of audit had dropped', async () => {
  const { database: sql } = fixture.store;
  const { uid } = await given(fixture.store, { name: 'old' });
  await database.sql.unsafe(`
    create table changes_of_old partition of changes for values from ('${daysAgo(200)}') to ('${daysAgo(100)}');
    update changes set time = '${daysAgo(150)}' where uid = '${uid}'`);
  while ((await expireChanges(sql, { retentionDays: 90, auditDays: 400 }, 100)) === 100);
  const { items } = await createAuditStore(sql).list({ resource: uid }, { limit: 10, after: null });
  expect(items).toHaveLength(1);
  await keepAuditPartitions(sql, daysAgo(400), 10);
  expect((await createAuditStore(sql).list({ resource: uid }, { limit: 10, after: null })).items).toEqual(
    items,
  );
});

it('makes the next months while a record of a machine whose clock is ahead is stored', async () => {
  const { database: sql } = fixture.store;
  const before = await partitions('audit_records');
  const last = before.filter((name) => /\d{6}$/.test(name)).at(-1) ?? '';
  const from = `${last.slice(-6, -2)}-${last.slice(-2)}-01 00:00:00+00`;
  await database.sql.unsafe(`
    drop table ${last}, audit_records_rest;
    create table audit_records_rest partition of audit_records for values from ('${from}') to (maxvalue)`);
  const [early, soon] = [recordAt('2100-01-01T00:00:00.000Z'), recordAt(new Date(from).toISOString())];
  await createAuditStore(sql).append([early, soon]);
  await keepAuditPartitions(sql, daysAgo(400), 10);
  expect(await partitions('audit_records')).toEqual(expect.arrayContaining(before));
  expect([await stored(early), await stored(soon)]).toEqual([['audit_records_rest'], [last]]);
});

it('makes the next days of the change log while an entry of a clock that was ahead is stored', async () => {
  const { database: sql } = fixture.store;
  const before = await partitions('changes');
  const days = before.filter((name) => /\d{8}$/.test(name)).slice(-8);
  const from = (days[0] ?? '').slice(-8).replace(/^(....)(..)(..)$/, '$1-$2-$3 00:00:00+00');
  await database.sql.unsafe(`
    drop table ${days.join(', ')}, changes_rest;
    create table changes_rest partition of changes for values from ('${from}') to (maxvalue)`);
  const { uid } = await given(fixture.store);
  await database.sql`update changes set time = ${from} where uid = ${uid}`;
  await expireChanges(sql, { retentionDays: 400, auditDays: 400 }, 100);
  expect(await partitions('changes')).toEqual(expect.arrayContaining(before));
  const [row] =
    await database.sql`select tableoid::regclass::text as partition from changes where uid = ${uid}`;
  expect(row?.['partition']).toBe(days[0]);
});

// Accident: a dump of the database runs for hours, and all writes of projects wait behind the lock that waits for it.
it('does not hold up records for long when it has to wait for a reader', async () => {
  const { database: sql } = fixture.store;
  const [oldest = ''] = (await partitions('audit_records')).filter((name) => /\d{6}$/.test(name));
  await whileHeld(database, [`lock table ${oldest} in access share mode`], async () => {
    const begun = performance.now();
    const keeping = keepAuditPartitions(sql, new Date(Date.now() + 35 * 86_400_000).toISOString(), 10);
    await expect(keeping).rejects.toThrow();
    expect(performance.now() - begun).toBeLessThan(4_000 * timeoutFactor);
  });
  expect(await partitions('audit_records')).toContain(oldest);
});
