import { cascadeFinalizer, type Resource } from '@platform/resources';
import {
  byUid,
  given,
  givenBelow,
  ownedBy,
  read,
  reread,
  signal,
  tombstone,
} from '@platform/resources/conformance';
import { type BatchPlan, type LockedRow, planBatch, RowsRefused } from '../src/index.ts';
import type { GarbageCollectorStoreUnderTest, Suite } from './suite.ts';

const nothing: BatchPlan = { remove: [], change: [], cascades: [], results: [] };

/** `GarbageCollectorStore.collect`: what it shows of the rows, and what it writes. */
export function batches({ guarantee }: Suite): void {
  guarantee('rows are shown as they are, without those that do not exist', async (store) => {
    const owner = await given(store);
    const row = await givenBelow(store, [owner], 'Part', {
      finalizers: ['x/a', 'x/"b",\\'],
      ownerReferences: [ownedBy(owner, { blockOwnerDeletion: true })],
    });
    const { apiVersion, kind, name, uid, parentUid } = row;
    expect(await look(store, [uid, '00000000-0000-4000-8000-000000000000'])).toEqual([
      {
        identity: { apiVersion, kind, name, uid, parentUid },
        revision: 1,
        tombstoned: false,
        protected: false,
        finalizers: ['x/a', 'x/"b",\\'],
        owners: [{ uid: owner.uid, blocking: true }],
        blocker: null,
        liveOutside: false,
        protectedOutside: null,
        tombstonedOwners: [],
      },
    ]);
  });

  guarantee('a child or a blocking dependent outside the batch is a blocker, live or not', async (store) => {
    const [parent, owner] = [await given(store), await given(store)];
    const child = await givenBelow(store, [parent], 'Part');
    const blocking = await given(store, { ownerReferences: [ownedBy(owner, { blockOwnerDeletion: true })] });
    await tombstone(store, blocking);
    const rows = byUidOf(await look(store, [parent.uid, owner.uid]));
    expect(rows.get(parent.uid)?.blocker).toEqual({ uid: child.uid, revision: 1, live: true });
    expect(rows.get(owner.uid)?.blocker).toEqual({ uid: blocking.uid, revision: 2, live: false });
  });

  guarantee('dependents inside the batch are not outside it', async (store) => {
    const owner = await given(store);
    const inside = [
      await givenBelow(store, [owner], 'Part'),
      await givenBelow(store, [owner], 'Part', {
        ownerReferences: [ownedBy(owner, { blockOwnerDeletion: true })],
      }),
      await given(store, { ownerReferences: [ownedBy(owner)] }),
    ];
    const rows = byUidOf(await look(store, [owner.uid, ...inside.map(({ uid }) => uid)]));
    expect(rows.get(owner.uid)).toMatchObject({ blocker: null, liveOutside: false });
  });

  guarantee('one more dependent than the batch holds is found among many', async (store) => {
    const owner = await given(store);
    const children: Resource[] = [];
    for (let count = 0; count < 12; count += 1) children.push(await givenBelow(store, [owner], 'Part'));
    for (const outside of [children[0], children[5], children[11]] as Resource[]) {
      const inside = children.filter((child) => child !== outside).map(({ uid }) => uid);
      const rows = byUidOf(await look(store, [owner.uid, ...inside]));
      expect(rows.get(owner.uid)?.blocker).toEqual({ uid: outside.uid, revision: 1, live: true });
    }
  });

  guarantee('a live dependent that does not block is told apart from one that does', async (store) => {
    const owner = await given(store);
    const free = await given(store, { ownerReferences: [ownedBy(owner)] });
    expect(await look(store, [owner.uid])).toMatchObject([{ blocker: null, liveOutside: true }]);
    const blocking = await given(store, { ownerReferences: [ownedBy(owner, { blockOwnerDeletion: true })] });
    expect(await look(store, [owner.uid])).toMatchObject([{ blocker: { uid: blocking.uid } }]);
    await tombstone(store, free);
    await store.removeRow(blocking.uid);
    expect(await look(store, [owner.uid])).toMatchObject([{ blocker: null, liveOutside: false }]);
  });

  guarantee('a live row comes with the tombstoned among its parent and owners', async (store) => {
    const [parent, owner, living] = [await given(store), await given(store), await given(store)];
    const row = await givenBelow(store, [parent], 'Part', {
      ownerReferences: [ownedBy(owner), ownedBy(living)],
    });
    await tombstone(store, owner);
    expect(await look(store, [row.uid])).toMatchObject([{ tombstonedOwners: [{ uid: owner.uid }] }]);
    await tombstone(store, parent);
    const [shown] = await look(store, [row.uid]);
    expect(new Set(shown?.tombstonedOwners.map(({ uid }) => uid))).toEqual(new Set([parent.uid, owner.uid]));
  });

  guarantee(
    'a tombstone is a timestamp and one revision more, with the finalizer in the same write',
    async (store) => {
      const row = await given(store, { finalizers: ['x/a'], spec: '{"a":1.10}' });
      await apply(store, [row.uid], {
        ...nothing,
        change: [{ uid: row.uid, tombstone: true, cascadeFinalizer: 'ensure' }],
      });
      expect(await reread(store, row)).toEqual({
        ...row,
        revision: 2,
        finalizers: ['x/a', cascadeFinalizer],
        deletionTimestamp: expect.any(String),
      });
    },
  );

  guarantee('the cascade finalizer comes and goes without touching the timestamp', async (store) => {
    const row = await tombstone(store, await given(store, { finalizers: ['x/a'] }));
    const change = (cascadeFinalizer: 'ensure' | 'drop') =>
      apply(store, [row.uid], {
        ...nothing,
        change: [{ uid: row.uid, tombstone: false, cascadeFinalizer }],
      });
    await change('ensure');
    expect(await reread(store, row)).toEqual({
      ...row,
      revision: 3,
      finalizers: ['x/a', cascadeFinalizer],
    });
    await change('drop');
    expect(await reread(store, row)).toEqual({ ...row, revision: 4 });
  });

  guarantee('a whole tree goes at once, in whatever order it is named', async (store) => {
    const root = await given(store);
    const child = await givenBelow(store, [root], 'Part');
    const grandchild = await givenBelow(store, [root, child], 'Screw');
    const uids = [child.uid, root.uid, grandchild.uid];
    await apply(store, uids, { ...nothing, remove: uids });
    for (const row of [root, child, grandchild]) expect(await read(store, row)).toBeNull();
  });

  guarantee('what the database refuses is refused whole, and nothing is written', async (store) => {
    const parent = await tombstone(store, await given(store));
    const withChild = await given(store);
    await givenBelow(store, [withChild], 'Part');
    const uids = [parent.uid, withChild.uid];
    const refused = apply(store, uids, { ...nothing, remove: uids });
    await expect(refused).rejects.toThrow(RowsRefused);
    expect(await reread(store, parent)).toEqual(parent);
  });

  guarantee('a row that somebody has locked is left out rather than waited for', async (store) => {
    const [busy, idle] = [await given(store), await given(store)];
    const { sent: released, send: release } = signal();
    const held = signal();
    const writing = store.transactions.run(async ({ deletion }) => {
      await deletion.lock(byUid(busy), null);
      held.send();
      await released;
    });
    await held.sent;
    const rows = await look(store, [busy.uid, idle.uid]);
    release();
    await writing;
    expect(rows.map(({ identity }) => identity.uid)).toEqual([idle.uid]);
  });

  guarantee(
    'a create below a locked row waits, and is refused when the row was tombstoned',
    async (store) => {
      const parent = await given(store);
      const fence = await lead(store);
      let creating: Promise<unknown> = Promise.resolve();
      await store.garbageCollector.collectBatch({ uids: [parent.uid], lockWait: 'skip', fence }, () => {
        // Begun while the batch holds the lock; what comes of it is only known after the commit.
        creating = givenBelow(store, [parent], 'Part').then(
          () => 'created',
          (error: Error) => error.message,
        );
        return {
          ...nothing,
          change: [{ uid: parent.uid, tombstone: true, cascadeFinalizer: 'keep' }],
        };
      });
      expect(await creating).toContain('ancestorTerminating');
    },
  );

  guarantee('two leaders at once do the same work once', async (store) => {
    const root = await given(store);
    const children: Resource[] = [];
    for (let count = 0; count < 8; count += 1) {
      children.push(await givenBelow(store, [root], 'Part', { finalizers: ['x/hold'] }));
    }
    await tombstone(store, root);
    const fence = await lead(store);
    const uids = [root.uid, ...children.map(({ uid }) => uid)];
    const outcomes = await Promise.all(
      [1, 2, 3].map(() => store.garbageCollector.collectBatch({ uids, lockWait: 'wait', fence }, planBatch)),
    );
    const cascades = outcomes.flatMap((result) =>
      result.outcome === 'committed' ? result.plan.cascades : [],
    );
    expect(cascades.map(({ dependent }) => dependent.uid).sort()).toEqual(
      children.map(({ uid }) => uid).sort(),
    );
    for (const child of children) expect(await reread(store, child)).toMatchObject({ revision: 2 });
  });
}

/** Batches that `fence` and the switch prevent. */
export function fences({ guarantee }: Suite): void {
  guarantee('a batch of somebody who does not lead writes nothing', async (store) => {
    const row = await tombstone(store, await given(store));
    const fence = await lead(store);
    const collect = (wrong: typeof fence) =>
      store.garbageCollector.collectBatch({ uids: [row.uid], lockWait: 'skip', fence: wrong }, planBatch);
    expect(await collect({ ...fence, token: fence.token - 1 })).toEqual({ outcome: 'deposed' });
    expect(await collect({ ...fence, holder: 'somebody else' })).toEqual({ outcome: 'deposed' });
    expect(await read(store, row)).toEqual(row);
    expect(await collect(fence)).toMatchObject({ outcome: 'committed' });
    expect(await read(store, row)).toBeNull();
  });

  guarantee('a batch of a leader whose lease has ended writes nothing', async (store) => {
    const row = await tombstone(store, await given(store));
    const fence = await lead(store);
    await store.endLease();
    const batch = { uids: [row.uid], lockWait: 'skip', fence } as const;
    expect(await store.garbageCollector.collectBatch(batch, planBatch)).toEqual({ outcome: 'deposed' });
    expect(await read(store, row)).toEqual(row);
  });

  guarantee('no batch starts while the collector is paused', async (store) => {
    const row = await tombstone(store, await given(store));
    const fence = await lead(store);
    const batch = { uids: [row.uid], lockWait: 'skip', fence } as const;
    await store.collectorPause.pause();
    expect(await store.garbageCollector.collectBatch(batch, planBatch)).toEqual({ outcome: 'paused' });
    expect(await read(store, row)).toEqual(row);
    await store.collectorPause.resume();
    expect(await store.garbageCollector.collectBatch(batch, planBatch)).toMatchObject({
      outcome: 'committed',
    });
  });
}

async function lead(store: GarbageCollectorStoreUnderTest) {
  const attempt = await store.collectorLease.acquire('the suite', 60);
  if (!attempt.held) throw new Error('the lease is not free');
  return attempt.fence;
}

async function apply(
  store: GarbageCollectorStoreUnderTest,
  uids: readonly string[],
  plan: BatchPlan,
): Promise<void> {
  const fence = await lead(store);
  await store.garbageCollector.collectBatch({ uids, lockWait: 'skip', fence }, () => plan);
}

/** The rows as a batch is shown them, by uid. */
async function look(
  store: GarbageCollectorStoreUnderTest,
  uids: readonly string[],
): Promise<readonly LockedRow[]> {
  const fence = await lead(store);
  let shown: readonly LockedRow[] = [];
  await store.garbageCollector.collectBatch({ uids, lockWait: 'skip', fence }, (rows) => {
    shown = rows;
    return nothing;
  });
  return shown;
}

function byUidOf(rows: readonly LockedRow[]): ReadonlyMap<string, LockedRow> {
  return new Map(rows.map((row) => [row.identity.uid, row]));
}
