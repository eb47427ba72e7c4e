import { waitingForLocks, whileHeld } from '@platform/development/testing';
import { given } from '../../../test/rows.ts';
import { testStore } from '../../../test/store.ts';
import { createAuditStore } from '../audit/audit-store.ts';
import { expireChanges } from './expire.ts';

const fixture = testStore();
const { database } = fixture;

const partitions = async () =>
  (
    await database.sql`
      select relname, pg_get_expr(relpartbound, oid) as bound from pg_class
      where relispartition and relkind = 'r' and relname ~ '^changes_' order by relname`
  ).map((row) => row['relname'] as string);

const day = async (offset: number) => {
  const [row] = await database.sql`
    select to_char((now() at time zone 'UTC')::date + ${offset}::int, 'YYYYMMDD') as day`;
  return `changes_${row?.['day']}`;
};

it('has partitions for two weeks, one for everything later, and one for what no other takes', async () => {
  const made = await partitions();
  // The tables are a copy of those that the first test of a run has made, which may be before midnight.
  const since = made[0] === (await day(-1)) ? -1 : 0;
  expect(made).toEqual([
    ...(await Promise.all(Array.from({ length: 15 }, (_, offset) => day(offset + since)))),
    'changes_other',
    'changes_rest',
  ]);
});

it('keeps writes going when no collector has run for weeks, and tidies up afterwards', async () => {
  const days = (await partitions()).filter((name) => /\d{8}$/.test(name));
  for (const name of days) await database.sql.unsafe(`drop table ${name}`);
  await database.sql`alter table changes detach partition changes_rest`;
  const [yesterday, before] = [await day(-1), await day(-4)];
  await database.sql.unsafe(`
    create table ${before} partition of changes
      for values from (date_trunc('day', now() at time zone 'UTC') at time zone 'UTC' - interval '4 days')
      to (date_trunc('day', now() at time zone 'UTC') at time zone 'UTC' - interval '3 days');
    alter table changes attach partition changes_rest
      for values from (date_trunc('day', now() at time zone 'UTC') at time zone 'UTC' - interval '3 days') to (maxvalue)`);
  await given(fixture.store, { name: 'late' });
  await expireChanges(fixture.store.database, { retentionDays: 30, auditDays: 400 }, 100);
  const now = await partitions();
  expect(now).not.toContain(yesterday);
  expect(now.slice(0, 3)).toEqual([before, await day(0), await day(1)]);
  expect(now).toHaveLength(18);
  const [row] =
    await database.sql`select tableoid::regclass::text as partition from changes where name = 'late'`;
  expect(row?.['partition']).toBe(await day(0));
  await given(fixture.store);
});

it('drops whole partitions and ticks after the retention, and cursors from then expire', async () => {
  const { changeLog, ticks, database: sql } = fixture.store;
  const old = await changeLog.head();
  for (let count = 0; count < 3; count += 1) {
    await given(fixture.store);
    await ticks.tick();
  }
  await database.sql`update change_ticks set time = now() - interval '3 days' where tick <= ${old.tick + 1}`;
  expect(await expireChanges(sql, { retentionDays: 1, auditDays: 400 }, 100)).toBeGreaterThan(0);
  expect(await partitions()).not.toContain(await day(-4));
  await expect(changeLog.parse(old.text)).rejects.toMatchObject({ code: 'cursor_expired' });
  await changeLog.parse((await changeLog.head()).text);
  expect(await expireChanges(sql, { retentionDays: 1, auditDays: 400 }, 100)).toBe(0);
});

/** How many entries each cursor still gives; null for one that is refused. */
const readable = (cursors: readonly string[]) =>
  Promise.all(
    cursors.map(async (cursor) => {
      const { changeLog } = fixture.store;
      const parsed = await changeLog.parse(cursor).catch(() => null);
      return parsed === null ? null : (await changeLog.read(parsed, 100)).changes.length;
    }),
  );

/** Makes everything four days old: entries in a partition of their own, and ticks. */
async function makeOld(): Promise<void> {
  const start = `date_trunc('day', now() at time zone 'UTC') at time zone 'UTC'`;
  await database.sql.unsafe(`
    create table if not exists ${await day(-4)} partition of changes
      for values from (${start} - interval '4 days') to (${start} - interval '3 days');
    update changes set time = ${start} - interval '4 days';
    update change_ticks set time = ${start} - interval '4 days'`);
}

it('refuses a cursor before it drops an entry that comes after it', async () => {
  const { changeLog, ticks, database: sql } = fixture.store;
  const cursors: string[] = [];
  for (let count = 0; count < 4; count += 1) {
    cursors.push((await changeLog.head()).text);
    await given(fixture.store);
    await ticks.tick();
  }
  await makeOld();
  expect(await readable(cursors)).toEqual([4, 3, 2, 1]);
  const seen = [await readable(cursors)];
  while ((await expireChanges(sql, { retentionDays: 1, auditDays: 400 }, 1)) === 1)
    seen.push(await readable(cursors));
  for (const counts of seen)
    for (const [index, count] of counts.entries()) expect([null, 4 - index]).toContain(count);
  expect(await readable(cursors)).toEqual([null, null, null, null]);
  await changeLog.parse((await changeLog.head()).text);
});

it('accepts the last cursor of a quiet time, and the first one after it, for the whole retention', async () => {
  const { changeLog, ticks, database: sql } = fixture.store;
  const quiet = await changeLog.head();
  await database.sql`update change_ticks set time = now() - interval '3 days' where tick <= ${quiet.tick}`;
  const { uid } = await given(fixture.store);
  await given(fixture.store);
  await ticks.tick();
  const [entry] = await fixture.store.history.entries(uid, { limit: 1, before: null, scopes: null });
  await expireChanges(sql, { retentionDays: 1, auditDays: 400 }, 100);
  expect(await readable([quiet.text, entry?.cursor ?? ''])).toEqual([2, 1]);
});

// Accident: the clock of the database was ahead for a while and was set back, or a standby with a slower clock took over.
it('refuses a cursor before it drops the next tick, also when its own tick is later than that one', async () => {
  const { changeLog, ticks, database: sql } = fixture.store;
  const cursors: string[] = [];
  for (let count = 0; count < 4; count += 1) {
    await given(fixture.store);
    await ticks.tick();
    cursors.push((await changeLog.head()).text);
  }
  const second = await changeLog.parse(cursors[1] ?? '');
  await database.sql`update change_ticks set time = now() - interval '2 days' where tick <> ${second.tick}`;
  await database.sql`update change_ticks set time = now() + interval '1 hour' where tick = ${second.tick}`;
  expect(await readable(cursors)).toEqual([3, 2, 1, 0]);
  await expireChanges(sql, { retentionDays: 1, auditDays: 400 }, 100);
  expect(await readable(cursors)).toEqual([null, null, null, 0]);
});

it('refuses the newest cursor when entries after it expired before any ticker ran', async () => {
  const { changeLog, database: sql } = fixture.store;
  const cursor = (await changeLog.head()).text;
  await given(fixture.store);
  await given(fixture.store);
  await makeOld();
  while ((await expireChanges(sql, { retentionDays: 1, auditDays: 400 }, 100)) === 100);
  const { text } = await changeLog.head();
  await given(fixture.store);
  await fixture.store.ticks.tick();
  expect(await readable([cursor, text])).toEqual([null, 1]);
});

it('drops no entry that audit has not got yet, also while a second collector moves entries', async () => {
  const { database: sql } = fixture.store;
  await database.sql`delete from changes`;
  for (const name of ['one', 'two']) await given(fixture.store, { name });
  const { uid } = await given(fixture.store, { name: 'three' });
  await fixture.store.ticks.tick();
  await makeOld();
  await database.sql`delete from change_ticks where tick < (select tick from change_log)`;
  const retention = { retentionDays: 1, auditDays: 400 };
  const taken = `delete from changes where name in ('one', 'two')`;
  await whileHeld(database, [taken], async ({ release }) => {
    const expiring = expireChanges(sql, retention, 2);
    await waitingForLocks(database, 1);
    await release();
    await expiring;
  });
  while ((await expireChanges(sql, retention, 2)) === 2);
  const { items } = await createAuditStore(sql).list({ resource: uid }, { limit: 10, after: null });
  expect(items).toHaveLength(1);
  expect(await database.sql`select 1 from changes where uid = ${uid}`).toHaveLength(0);
});

// The records and the log are read by two statements.
it('shows an entry exactly once while it is moved to the audit records', async () => {
  const { database: sql } = fixture.store;
  const { uid } = await given(fixture.store, { name: 'moved' });
  await fixture.store.ticks.tick();
  await makeOld();
  let statements = 0;
  const rows: typeof sql.rows = async (...statement) => {
    statements += 1;
    if (statements === 2) {
      while ((await expireChanges(sql, { retentionDays: 1, auditDays: 400 }, 100)) === 100);
    }
    return await sql.rows(...statement);
  };
  const { items } = await createAuditStore({ rows }).list({ resource: uid }, { limit: 10, after: null });
  expect(items).toHaveLength(1);
  expect(statements).toBe(2);
  expect(await database.sql`select 1 from changes where uid = ${uid}`).toHaveLength(0);
});

it('keeps what audit needs of entries before their partition is dropped, and nothing of the documents', async () => {
  const { database: sql } = fixture.store;
  const { uid } = await given(fixture.store, { name: 'kept' });
  // Everything until the end of today is older than that.
  const older = { retentionDays: -2, auditDays: 400 };
  while ((await expireChanges(sql, older, 2)) === 2);
  expect(await database.sql`select 1 from changes where uid = ${uid}`).toHaveLength(0);
  const { items } = await createAuditStore(sql).list({ resource: uid }, { limit: 10, after: null });
  expect(items).toMatchObject([
    { action: 'resource.updated', resource: { name: 'kept', uid }, details: { operation: 'update' } },
  ]);
  expect(JSON.stringify(items)).not.toContain('spec');
});

// Accident: the clock of the database was ahead by more than the retention while a collector ran, and was set back.
it('keeps writes going before the oldest partition, and deletes them after the retention', async () => {
  const { database: sql, history } = fixture.store;
  for (const name of await partitions())
    if (/\d{8}$/.test(name) && name <= (await day(3))) await database.sql.unsafe(`drop table ${name}`);
  const { uid } = await given(fixture.store);
  const kept = () => history.entries(uid, { limit: 1, before: null, scopes: null });
  const expire = () => expireChanges(sql, { retentionDays: 1, auditDays: 400 }, 100);
  await expire();
  expect(await kept()).toHaveLength(1);
  await database.sql`update changes set time = now() - interval '4 days' where uid = ${uid}`;
  await database.sql`update change_ticks set time = now() - interval '4 days'`;
  await expire();
  expect(await kept()).toHaveLength(0);
  expect(await partitions()).toContain('changes_rest');
});
