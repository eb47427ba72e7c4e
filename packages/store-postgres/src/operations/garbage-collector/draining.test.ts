import { randomUUID } from 'node:crypto';
import { harness, sharedLease } from '@platform/garbage-collector/conformance';
import { cascadeFinalizer } from '@platform/resources';
import { testStore } from '../../../test/store.ts';

const fixture = testStore();
const { database } = fixture;

/** A row to insert; `owners` are uids with whether the reference blocks. */
interface Row {
  readonly uid: string;
  readonly parent?: string | null;
  readonly owners?: readonly (readonly [uid: string, blocking: boolean])[];
  readonly finalizers?: readonly string[];
}

async function insert(rows: readonly Row[]): Promise<void> {
  const documents = rows.map(({ uid, parent = null, owners = [], finalizers = [] }, index) => ({
    uid,
    parent,
    name: `n${index}-${uid.slice(0, 8)}`,
    // Unique below one parent, whatever was inserted before.
    discriminator: `${uid.slice(0, 4)}${index.toString(36).padStart(4, '0')}`,
    finalizers,
    references: owners.map(([owner, blocking]) => ({
      apiVersion: 'example.dev/v1',
      kind: 'Node',
      name: 'any',
      uid: owner,
      blockOwnerDeletion: blocking,
    })),
  }));
  await database.sql`
    insert into resources (uid, parent_uid, api_version, kind, name, discriminator, finalizers, owner_references)
    select uid, parent, 'example.dev/v1', 'Node', name, discriminator, finalizers, "references"
    from jsonb_to_recordset(${JSON.stringify(documents)}::text::jsonb) as row (
      uid uuid, parent uuid, name text, discriminator text, finalizers text[], "references" jsonb)`;
}

/** Tombstones the rows as a DELETE of each would, without their dependents. */
async function tombstone(...uids: readonly string[]): Promise<void> {
  await database.sql`
    update resources set deletion_timestamp = now(), revision = revision + 1 where uid = any(${uids as string[]}::uuid[])`;
}

async function rowsLeft(): Promise<number> {
  const [row] = await database.sql`select count(*)::int as count from resources where kind = 'Node'`;
  return row?.['count'];
}

function uids(count: number): readonly string[] {
  return Array.from({ length: count }, () => randomUUID());
}

const underTest = () => ({
  ...fixture.store,
  removeRow: async () => {},
  reset: async () => {},
  endLease: async () => {},
});

beforeEach(async () => {
  await database.sql`truncate resources cascade`;
  await database.sql`update leases set holder = null, expires_at = '-infinity', paused_since = null`;
});

describe('a wide deletion', () => {
  const [wide = '', other = '', ...children] = uids(10_002);

  beforeEach(async () => {
    await insert([{ uid: wide }, { uid: other }, ...children.map((uid) => ({ uid, parent: wide }))]);
    await tombstone(wide);
    await database.sql`
      insert into pending_cascades (owner_uid, time, change, api_version, kind, name)
      select uid, deletion_timestamp, array['cascade', 'system', 'test', null, null, null, null, null], api_version, kind, name
      from resources where uid = ${wide}`;
  });

  // Attack: somebody deletes a few resources with hundreds of thousands of dependents, and the deletions of everybody else wait for minutes.
  it('lets others be collected before all its dependents are marked as deleted', async () => {
    const { garbageCollector } = fixture.store;
    let isTold = false;
    const markDependentsDeleted: typeof garbageCollector.markDependentsDeleted = async (pending) => {
      const result = await garbageCollector.markDependentsDeleted(pending);
      if (isTold) return result;
      isTold = true;
      await tombstone(other);
      collector.wake({ reason: 'changed', uid: other });
      return result;
    };
    const store = { ...underTest(), garbageCollector: { ...garbageCollector, markDependentsDeleted } };
    const { collector, drain } = harness(store);
    await drain();
    expect(await rowsLeft()).toBe(0);
    const [row] = await database.sql`
      select count(*) filter (where parent_uid = ${wide})::int as after from changes
      where removed and seq > (select seq from changes where removed and uid = ${other})`;
    expect(row?.['after']).toBeGreaterThan(1_000);
  });

  it('has its dependents found once, although its tombstone is found meanwhile', async () => {
    const { garbageCollector } = fixture.store;
    let found = 0;
    const traverseDependents: typeof garbageCollector.traverseDependents = async (...given) => {
      const edges = await garbageCollector.traverseDependents(...given);
      found += edges.length;
      return edges;
    };
    const store = { ...underTest(), garbageCollector: { ...garbageCollector, traverseDependents } };
    const { drain, cascades } = harness(store);
    await drain();
    expect(await rowsLeft()).toBe(1);
    expect(cascades).toHaveLength(children.length);
    expect(found).toBe(0);
  });
});

describe('one run collects', () => {
  it('a chain of 2,000 owners, in batches rather than row by row', async () => {
    const chain = uids(2_000);
    await insert(
      chain.map((uid, index) => ({
        uid,
        owners: index === 0 ? [] : [[chain[index - 1] as string, index % 4 > 0]],
      })),
    );
    await tombstone(chain[0] as string);
    const { drain, cascades, reports } = harness(underTest());
    await drain();
    expect(await rowsLeft()).toBe(0);
    expect(new Set(cascades.map(({ dependent }) => dependent.uid))).toEqual(new Set(chain.slice(1)));
    expect(cascades).toHaveLength(1_999);
    expect(reports).toHaveLength(1);
    expect(reports[0]?.batches).toBeLessThan(40);
  });

  it('chains of 33 levels, each in the batch that its leaf is in', async () => {
    const [root = '', ...below] = uids(1 + 100 * 32);
    await insert([
      { uid: root },
      ...below.map((uid, index) => ({ uid, parent: index % 32 === 0 ? root : below[index - 1] })),
    ] as Row[]);
    await tombstone(root);
    const { drain, cascades, reports } = harness(underTest());
    await drain();
    expect(await rowsLeft()).toBe(0);
    expect(cascades).toHaveLength(3_200);
    expect(reports).toHaveLength(1);
    // Whole subtrees go without ever being written: few rows are locked twice.
    expect(reports[0]?.examined).toBeLessThan(1.15 * 3_201);
  });

  it('tombstones with the live chains below them, each tree in one batch', async () => {
    const rows = uids(100 * 8);
    const isTop = (index: number) => index % 8 === 0;
    await insert(
      rows.map((uid, index) => ({ uid, parent: isTop(index) ? null : (rows[index - 1] ?? null) })),
    );
    await tombstone(...rows.filter((_, index) => isTop(index)));
    const { drain, cascades, reports } = harness(underTest());
    await drain();
    expect(await rowsLeft()).toBe(0);
    expect(cascades).toHaveLength(700);
    // Each row is locked once: no tombstone is collected before the rows below it, and blocked by them.
    expect(reports[0]?.examined).toBe(800);
  });

  it('a parent of 20,000 live children and an owner of 5,000, chunk by chunk', async () => {
    const [root = '', wide = '', ...below] = uids(25_002);
    await insert([
      { uid: root },
      { uid: wide, parent: root },
      ...below.slice(0, 20_000).map((uid) => ({ uid, parent: wide })),
      ...below.slice(20_000).map((uid) => ({ uid, owners: [[root, true]] as const })),
    ]);
    await tombstone(root);
    const { drain, cascades, reports } = harness(underTest());
    await drain();
    expect(await rowsLeft()).toBe(0);
    expect(cascades).toHaveLength(25_001);
    expect(reports[0]?.examined).toBeLessThan(1.1 * 25_002);
  }, 60_000);

  it('an owner of 20,000 tombstones, without looking for the next one after every batch', async () => {
    // Collected in the order in which they are found: each look finds one that goes with the next batch.
    const [owner = '', ...owned] = [...uids(20_001)].sort();
    await insert([{ uid: owner }, ...owned.map((uid) => ({ uid, owners: [[owner, true]] as const }))]);
    await tombstone(owner, ...owned);
    const { drain, reports } = harness(underTest());
    await drain();
    expect(await rowsLeft()).toBe(0);
    expect((reports[0]?.examined ?? 0) - 20_001).toBeLessThan(30);
  }, 60_000);

  it('a graph of crossing owners, each row reported once', async () => {
    const [root = '', ...below] = uids(3_001);
    await insert([
      { uid: root },
      ...below.map((uid, index): Row => {
        const near = below[index - 1 - (index % 7)];
        const far = below[Math.floor(index / 3)];
        const owners = [near, far].filter((owner) => owner !== undefined && owner !== uid) as string[];
        return {
          uid,
          parent:
            index % 3 === 0
              ? root
              : ((below[Math.floor(index / 4)] === uid ? root : below[Math.floor(index / 4)]) as string),
          owners: [...new Set(owners)].map((owner, place) => [owner, place === 0] as const),
        };
      }),
    ]);
    await tombstone(root);
    const { drain, cascades } = harness(underTest());
    await drain();
    expect(await rowsLeft()).toBe(0);
    expect(new Set(cascades.map(({ dependent }) => dependent.uid)).size).toBe(cascades.length);
    expect(cascades).toHaveLength(3_000);
  });

  it('ten thousand rows without reading more of the table than they are, when no statistics tell of them', async () => {
    // Planned for an empty table; most of what it holds then has been tombstoned since.
    await database.sql`alter table resources set (autovacuum_enabled = off)`;
    await database.sql`analyze resources`;
    const primed = harness(underTest());
    for (let plan = 0; plan < 8; plan += 1) await primed.drain();
    const [root = '', ...below] = uids(10_001);
    await insert([
      { uid: root },
      ...below.map((uid, index) => ({ uid, parent: index < 100 ? root : below[index % 100] })),
    ] as Row[]);
    await database.sql`update resources set deletion_timestamp = now()`;
    const before = await reads();
    primed.collector.wake({ reason: 'missed' });
    await primed.drain();
    expect(await rowsLeft()).toBe(0);
    const after = await reads();
    expect(after.scanned - before.scanned).toBeLessThan(20_000);
    expect(after.fetched - before.fetched).toBeLessThan(40 * 10_001);
  }, 60_000);
});

describe('leaders that all believe they lead', () => {
  it('collect a forest together, miss nothing and report every row once', async () => {
    const roots = uids(40);
    const below = uids(4_000);
    await insert([
      ...roots.map((uid) => ({ uid })),
      ...below.map(
        (uid, index): Row => ({
          uid,
          parent: index < 400 ? (roots[index % 40] as string) : (below[index % 400] as string),
          owners: index % 5 === 0 ? [[roots[(index * 7) % 40] as string, index % 2 === 0]] : [],
        }),
      ),
    ]);
    await tombstone(...roots);
    const attempt = await fixture.store.collectorLease.acquire('all of them', 600);
    if (!attempt.held) throw new Error('the lease is not free');
    const options = { ports: { lease: sharedLease(attempt.fence) }, settings: { batchSize: 25 } };
    const leaders = [1, 2, 3].map(() => harness(underTest(), options));
    for (let turn = 0; turn < 50 && (await rowsLeft()) > 0; turn += 1) {
      for (const { collector } of leaders) collector.wake({ reason: 'missed' });
      await Promise.all(leaders.map(({ drain }) => drain()));
    }
    expect(await rowsLeft()).toBe(0);
    const reported = leaders.flatMap(({ cascades }) => cascades.map(({ dependent }) => dependent.uid));
    expect(reported.sort()).toEqual([...below].sort());
  }, 60_000);
});

describe('a row that a trigger refuses', () => {
  beforeEach(async () => {
    await database.sql`
      create or replace function refuse_poison() returns trigger language plpgsql as $$
      begin raise exception 'poison' using errcode = 'ZZ001'; end $$`;
  });
  afterEach(() => database.sql`drop trigger poison on resources`);

  it('to delete stays, with what it holds up, and nothing else does', async () => {
    const [root = '', ...below] = uids(1_001);
    await insert([
      { uid: root },
      ...below.map((uid, index) => ({ uid, parent: index < 10 ? root : below[index % 10] })),
    ] as Row[]);
    await tombstone(root);
    const poison = below[517] as string;
    await database.sql.unsafe(
      `create trigger poison before delete on resources for each row when (old.uid = '${poison}') execute function refuse_poison()`,
    );
    const { drain, reports } = harness(underTest());
    await drain();
    const left = await database.sql`select uid, finalizers from resources where kind = 'Node'`;
    expect(new Set(left.map(({ uid }) => uid))).toEqual(new Set([root, below[7], poison]));
    expect(left.find(({ uid }) => uid === root)?.['finalizers']).toEqual([cascadeFinalizer]);
    expect(reports.at(-1)).toMatchObject({ refused: 1 });
  });

  it('to tombstone keeps its owner, and nothing else', async () => {
    const [root = '', poison = '', other = ''] = uids(3);
    await insert([
      { uid: root, finalizers: ['x/hold'] },
      { uid: poison, parent: root, finalizers: ['x/hold'] },
      { uid: other, parent: root },
    ]);
    await tombstone(root);
    await database.sql.unsafe(
      `create trigger poison before update on resources for each row when (new.uid = '${poison}') execute function refuse_poison()`,
    );
    const { drain } = harness(underTest());
    await drain();
    const left = await database.sql`select uid from resources where kind = 'Node'`;
    expect(new Set(left.map(({ uid }) => uid))).toEqual(new Set([root, poison]));
  });
});

/** The reads of the table so far: rows by scans of it, and rows fetched over indexes. */
async function reads(): Promise<{ scanned: number; fetched: number }> {
  // A server process reports its reads up to a second after its last statement, and at once when asked. Both connections have read: the one
  // of the test looked for the parents of the rows that it inserted.
  await fixture.store.database.rows('select pg_stat_force_next_flush()');
  await fixture.store.database.rows('select 1');
  await database.sql`select pg_stat_force_next_flush()`;
  await database.sql`select 1`;
  await database.sql`select pg_stat_clear_snapshot()`;
  const [row] = await database.sql`
    select seq_tup_read::int as scanned, idx_tup_fetch::int as fetched from pg_stat_user_tables where relname = 'resources'`;
  return { scanned: row?.['scanned'], fetched: row?.['fetched'] };
}
