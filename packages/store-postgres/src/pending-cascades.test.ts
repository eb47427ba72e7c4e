import { waitingForLocks, whileHeld } from '@platform/development/testing';
import type { Resource } from '@platform/resources';
import { below, byUid, creation, given, reread, testChange } from '../test/rows.ts';
import { longLockTimeout, testStore } from '../test/store.ts';

// Attacks on a tombstone that exists only by derivation: on the writes that meet it, and on what readers and the change log tell of it.
const fixture = testStore(longLockTimeout, { mostDependentsMarked: 0 });
const { database } = fixture;
const cascade = { ...testChange, operation: 'cascade', cascadeId: 'the cascade', reason: 'wide' } as const;

/** A DELETE of a row that is held. */
function tombstone(row: Resource): Promise<unknown> {
  return fixture.store.transactions.run(async ({ deletion }) => {
    await deletion.lock(byUid(row), null);
    await deletion.tombstone(row.uid, { cascadeFinalizer: true, change: testChange });
    return deletion.cascade(row.uid, cascade);
  });
}

async function family(changes = {}): Promise<{ parent: Resource; child: Resource }> {
  const parent = await given(fixture.store);
  return { parent, child: await given(fixture.store, { collection: below('Part', parent), ...changes }) };
}

/** The log of a row: revision, operation, whether it was removed, whether it was a tombstone. */
async function logOf({ uid }: Resource): Promise<readonly unknown[]> {
  const rows = await database.sql`
    select revision::int, written[1] as operation, removed, deletion_timestamp is not null as tombstone
    from changes where uid = ${uid} order by seq`;
  return rows.map(({ revision, operation, removed, tombstone: dead }) => [
    revision,
    operation,
    removed,
    dead,
  ]);
}

/** Who made each entry of the log of a row, and why. */
async function contextsOf({ uid }: Resource): Promise<readonly (readonly string[])[]> {
  const rows = await database.sql`select written from changes where uid = ${uid} order by seq`;
  return rows.map(({ written }) => written);
}

const created = [1, 'update', false, false];
const marked = [2, 'cascade', false, true];
const status = (row: Resource) =>
  fixture.store.writer.replaceStatus({
    ref: byUid(row),
    definition: null,
    change: { ...testChange, operation: 'status' },
    slot: 'one',
    value: '{}',
  });

describe('a dependent that is not marked as deleted yet', () => {
  it('is read as the tombstone that it will be', async () => {
    const { parent, child } = await family();
    await tombstone(parent);
    const deletionTimestamp = (await reread(fixture.store, parent))?.deletionTimestamp;
    const seen = await reread(fixture.store, child);
    expect(seen).toEqual({ ...child, deletionTimestamp, revision: 2 });
    expect(await logOf(child)).toEqual([created]);
  });

  it('is marked as deleted by the first write, which has the next revision', async () => {
    const { parent, child } = await family();
    await tombstone(parent);
    const seen = await reread(fixture.store, child);
    expect(await status(child)).toMatchObject({
      resource: { revision: 3, deletionTimestamp: seen?.deletionTimestamp },
    });
    expect(await logOf(child)).toEqual([created, marked, [3, 'status', false, true]]);
  });

  it('is replaced with the revision that readers have seen, and not with the one before', async () => {
    const { parent, child } = await family();
    await tombstone(parent);
    const { apiVersion, labels, metadata, spec, finalizers, ownerReferences, uid } = child;
    const replace = (revision: number) =>
      fixture.store.writer.replace({
        uid,
        apiVersion,
        labels,
        metadata,
        spec,
        finalizers,
        ownerReferences,
        revision,
        definition: null,
        addedOwners: [],
        specChanged: false,
        change: testChange,
      });
    expect(await replace(1)).toEqual({ outcome: 'revisionMismatch', currentRevision: 2 });
    expect(await replace(2)).toMatchObject({ outcome: 'replaced', resource: { revision: 3 } });
  });

  it('takes neither children nor owners', async () => {
    const { parent, child } = await family();
    await tombstone(parent);
    const { apiVersion, kind, name, uid } = child;
    const ownerReferences = [{ apiVersion, kind, name, uid, blockOwnerDeletion: false }];
    const { writer } = fixture.store;
    const under = creation({ collection: below('Screw', parent, child) });
    expect((await writer.create(under)).outcome).toBe('ancestorTerminating');
    expect((await writer.create(creation({ ownerReferences }))).outcome).toBe('ownersRefused');
  });

  it('is told of as a tombstone before it is removed', async () => {
    const { parent, child } = await family();
    await tombstone(parent);
    await fixture.store.transactions.run(async ({ deletion }) => {
      expect(await deletion.lock(byUid(child), null)).toMatchObject({ resource: { revision: 2 } });
      await deletion.remove(child.uid, { ...testChange, operation: 'delete', cascadeId: 'another' });
    });
    expect(await logOf(child)).toEqual([created, marked, [2, 'delete', true, true]]);
    const [last] =
      await database.sql`select written[6] as cascade from changes where uid = ${child.uid} and removed`;
    expect(last?.['cascade']).toBe('the cascade');
  });

  it('keeps the tombstone of the first of two deletions', async () => {
    const [one, two] = [await given(fixture.store), await given(fixture.store)];
    const references = [one, two].map(({ apiVersion, kind, name, uid }) => ({
      apiVersion,
      kind,
      name,
      uid,
      blockOwnerDeletion: true,
    }));
    const dependent = await given(fixture.store, { ownerReferences: references });
    await tombstone(one);
    const seen = await reread(fixture.store, dependent);
    await tombstone(two);
    expect(await reread(fixture.store, dependent)).toEqual(seen);
  });
});

describe('a write during the DELETE of the parent', () => {
  it('that has its snapshot before the DELETE is not written after it as a live row', async () => {
    const { parent, child } = await family();
    const hold = `select from resources where uid = '${child.uid}' for no key update`;
    await whileHeld(database, [hold], async ({ release }) => {
      const writing = status(child);
      await waitingForLocks(database, 1);
      await tombstone(parent);
      await release();
      expect(await writing).toMatchObject({ outcome: 'written', resource: { revision: 3 } });
    });
    expect(await logOf(child)).toEqual([created, marked, [3, 'status', false, true]]);
  });

  it('that has written is waited for, so that no revision has two states', async () => {
    const { parent, child } = await family();
    const write = `update resources set revision = revision + 1 where uid = '${child.uid}'`;
    await whileHeld(database, [write], async ({ release }) => {
      const deleting = tombstone(parent);
      await waitingForLocks(database, 1);
      expect(await reread(fixture.store, child)).toEqual(child);
      await release();
      await deleting;
    });
    expect(await reread(fixture.store, child)).toMatchObject({
      revision: 3,
      deletionTimestamp: expect.any(String),
    });
  });

  it('by SQL or an earlier release is refused until the collector has marked the row as deleted', async () => {
    const { parent, child } = await family();
    await tombstone(parent);
    const write = database.sql`update resources set revision = revision + 1 where uid = ${child.uid}`;
    await expect(write).rejects.toMatchObject({ code: '40001' });
  });

  it('that holds the row under a precondition keeps the DELETE away', async () => {
    const { parent, child } = await family();
    let deleting: Promise<unknown> = Promise.resolve();
    await fixture.store.transactions.run(async ({ lockRow, writer }) => {
      expect(await lockRow(byUid(child), null)).toMatchObject({ revision: 1 });
      deleting = tombstone(parent);
      await waitingForLocks(database, 1);
      const outcome = await writer.replaceStatus({
        ref: byUid(child),
        definition: null,
        change: testChange,
        slot: 'one',
        value: '{}',
      });
      expect(outcome).toMatchObject({ resource: { revision: 2, deletionTimestamp: null } });
    });
    await deleting;
    expect(await reread(fixture.store, child)).toMatchObject({ revision: 3 });
  });
});

describe('the collector', () => {
  it('of an earlier release marks the row as readers have seen it, its finalizer one revision later', async () => {
    const { parent, child } = await family();
    await tombstone(parent);
    const seen = await reread(fixture.store, child);
    await fixture.store.database.transaction(async (sql) => {
      await sql.rows(`select set_config('platform.collecting', 'on', true)`);
      await sql.rows(
        `update resources set deletion_timestamp = now(), revision = revision + 1, finalizers = '{x/y}' where uid = $1::uuid`,
        [child.uid],
      );
    });
    expect(await reread(fixture.store, child)).toEqual({ ...seen, revision: 3, finalizers: ['x/y'] });
    expect(await logOf(child)).toEqual([created, marked, [3, 'finalizers', false, true]]);
  });

  it('takes over where the last one was killed, and forgets the cascade at the end', async () => {
    const parent = await given(fixture.store);
    const children = [];
    for (let count = 0; count < 5; count += 1)
      children.push(await given(fixture.store, { collection: below('Part', parent), finalizers: ['x/a'] }));
    await tombstone(parent);
    const { garbageCollector, collectorLease } = fixture.store;
    const attempt = await collectorLease.acquire('the test', 600);
    if (!attempt.held) throw new Error('the lease is not free');
    const pending = await garbageCollector.pendingDependents(3);
    expect(pending).toMatchObject({ owner: parent.uid, dependents: { length: 3 } });
    const uids = pending?.dependents ?? [];
    const { fence } = attempt;
    const deposed = { ...fence, token: fence.token + 1 };
    const mark = (by: typeof fence) =>
      garbageCollector.markDependentsDeleted({ owner: parent.uid, uids, fence: by });
    expect(await mark(deposed)).toEqual({ outcome: 'deposed' });
    expect(await mark(fence)).toMatchObject({ cascades: { length: 3 } });
    expect(await mark(fence)).toMatchObject({ cascades: { length: 0 } });
    const rest = await garbageCollector.pendingDependents(10);
    expect(rest?.dependents).toHaveLength(2);
    await garbageCollector.markDependentsDeleted({ owner: parent.uid, uids: rest?.dependents ?? [], fence });
    expect(await garbageCollector.pendingDependents(10)).toBeNull();
    for (const child of children) expect(await logOf(child)).toEqual([created, marked]);
    const [left] = await database.sql`select count(*)::int as count from pending_cascades`;
    expect(left?.['count']).toBe(0);
  });

  it('removes at once what nothing keeps, and logs both the tombstone and the removal', async () => {
    const { parent, child } = await family();
    const held = await given(fixture.store, { collection: below('Part', parent), finalizers: ['x/a'] });
    const above = await given(fixture.store, { collection: below('Part', parent) });
    await given(fixture.store, { collection: below('Screw', parent, above) });
    await tombstone(parent);
    const { garbageCollector, collectorLease } = fixture.store;
    const attempt = await collectorLease.acquire('the test', 600);
    if (!attempt.held) throw new Error('the lease is not free');
    const pending = await garbageCollector.pendingDependents(10);
    expect(
      await garbageCollector.markDependentsDeleted({
        owner: parent.uid,
        uids: pending?.dependents ?? [],
        fence: attempt.fence,
      }),
    ).toMatchObject({ cascades: { length: 3 }, removed: [child.uid] });
    expect(await logOf(child)).toEqual([created, marked, [2, 'collect', true, true]]);
    const [, byCascade, byRemoval] = await contextsOf(child);
    expect(byRemoval).toEqual(['collect', ...(byCascade ?? []).slice(1)]);
    expect(byRemoval).toEqual(expect.arrayContaining(['the cascade', 'wide']));
    for (const row of [held, above]) {
      expect(await logOf(row)).toEqual([created, marked]);
      expect(await reread(fixture.store, row)).toMatchObject({ deletionTimestamp: expect.any(String) });
    }
  });
});

beforeEach(() => database.sql`truncate resources cascade`);
