import { randomUUID } from 'node:crypto';
import { testDatabase, whileHeld } from '@platform/development/testing';
import { migrate, readMigrations } from '@platform/postgres';
import { byUid, testChange } from '../../test/rows.ts';
import { openStore, type Store } from '../index.ts';

let store: Store;
// Before the database registers its own: an open connection would count as leaked.
afterAll(() => store.close());
const database = testDatabase();
const brief = { pauseMs: 20, limitMs: 60_000 };
const [early, held] = [randomUUID(), randomUUID()];

/** Inserts a row as a release without the log does. */
async function insert(uid: string, name: string): Promise<void> {
  await database.sql`
    insert into resources (uid, api_version, kind, name, discriminator)
    values (${uid}, 'example.dev/v1', 'Widget', ${name}, ${uid.slice(0, 8)})`;
}

const logged = async () =>
  (await database.sql`select uid, revision::int from changes order by seq`).map((row) => [
    row['uid'],
    row['revision'],
  ]);

/** The writes of a replica of the release before, which were answered while the migrations ran: `<uid> <revision>`. */
const answered: (readonly [uid: string, revision: number])[] = [];
/** Those of them that began when the log was there. */
let whenLogged = 0;

beforeAll(async () => {
  const all = await readMigrations();
  await migrate(
    { url: database.url },
    all.filter(({ name }) => name < '0027'),
  );
  await insert(early, 'early');
  await insert(held, 'held');
  let goesOn = true;
  const writer = async () => {
    while (goesOn) {
      const [log] = await database.sql`select to_regclass('change_ticks') is not null as there`;
      const [row] = await database.sql`
        update resources set revision = revision + 1 where uid = ${early} returning revision::int`;
      if (log?.['there'] === true) whenLogged ||= answered.length + 1;
      answered.push([early, row?.['revision']]);
    }
  };
  const writing = writer();
  // A transaction of the release before is open when the migration comes: it waits, and nobody waits behind it.
  const statement = `update resources set revision = revision + 1 where uid = '${held}'`;
  await whileHeld(database, [statement], async ({ release }) => {
    const migrating = migrate({ url: database.url }, all, brief);
    const before = answered.length;
    while (answered.length < before + 50) await new Promise((resolve) => setTimeout(resolve, 5));
    await release();
    await migrating;
  });
  const after = answered.length;
  while (answered.length < after + 5) await new Promise((resolve) => setTimeout(resolve, 5));
  goesOn = false;
  await writing;
  store = openStore({ url: database.url, poolMax: 2 });
}, 120_000);

describe('a database from before the log', () => {
  it('is written on while the migration waits for a transaction that is open', () => {
    expect(answered.length).toBeGreaterThan(50);
    expect(answered.map(([, revision]) => revision)).toEqual(answered.map((_, index) => index + 2));
  });

  it('has an entry for each write since, without a gap', async () => {
    expect(whenLogged).toBeGreaterThan(0);
    const revisions = (await logged()).filter(([uid]) => uid === early).map(([, revision]) => revision);
    const last = answered.at(-1)?.[1] as number;
    expect(revisions.at(-1)).toBe(last);
    expect(revisions).toEqual(revisions.map((_, index) => last - revisions.length + 1 + index));
    const since = answered.slice(whenLogged).map(([, revision]) => revision);
    expect(revisions).toEqual(expect.arrayContaining(since));
  });

  it('has what existed before in watches from its present state on', async () => {
    const definition = null;
    await store.ticks.tick();
    const head = await store.changeLog.head();
    const ref = byUid({ uid: held, apiVersion: 'example.dev/v1', kind: 'Widget' } as never);
    const found = await store.reader.get(ref, definition);
    expect(found).toMatchObject({ outcome: 'read', resource: { uid: held, revision: 2 } });
    await store.writer.replaceStatus({ change: testChange, definition, ref, slot: 's', value: '1' });
    await store.ticks.tick();
    const { changes } = await store.changeLog.read(head, 10);
    expect(changes.map(({ resource }) => [resource.uid, resource.revision])).toEqual([[held, 3]]);
  });
});
