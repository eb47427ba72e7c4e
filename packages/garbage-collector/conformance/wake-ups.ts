import type { FinalizersCommand, Resource } from '@platform/resources';
import {
  byUid,
  deleteRow,
  given,
  givenBelow,
  ownedBy,
  protectedMetadata,
  replacement,
  reread,
  testChange,
  tombstone,
} from '@platform/resources/conformance';
import { planBatch, type WakeUp } from '../src/index.ts';
import type { GarbageCollectorStoreUnderTest, Suite } from './suite.ts';

/** `WakeUps`. A wake-up that must not come is proved by one that comes after it. */
export function wakeUps({ guarantee }: Suite): void {
  guarantee('listening begins with a reason to look everywhere', async (store) => {
    await listening(store, async (heard) => expect(await heard.next()).toEqual({ reason: 'missed' }));
  });

  guarantee('a cascade wakes once, with its timestamp, however wide it is', async (store) => {
    const owner = await given(store);
    for (let count = 0; count < 5; count += 1) await givenBelow(store, [owner], 'Part');
    await listening(store, async (heard) => {
      await heard.next();
      await deleteRow(store, owner);
      const { deletionTimestamp } = await reread(store, owner);
      expect(await heard.next()).toEqual({
        reason: 'tombstoned',
        at: Date.parse(deletionTimestamp as string),
      });
      await heard.nothingElse(store);
    });
  });

  guarantee('a finalizer that goes wakes for the tombstone, not for a live row', async (store) => {
    const live = await given(store, { finalizers: ['x/a'] });
    const held = await tombstone(store, await given(store, { finalizers: ['x/a', 'x/b'] }));
    await listening(store, async (heard) => {
      await heard.next();
      await store.writer.changeFinalizers(without(live, 'x/a'));
      await store.writer.changeFinalizers({ ...without(held), add: ['x/c'] });
      await store.writer.changeFinalizers(without(held, 'x/a'));
      expect(await heard.next()).toEqual({ reason: 'changed', uid: held.uid });
      const row = await reread(store, held);
      await store.writer.replace(replacement(row, { finalizers: [] }));
      expect(await heard.next()).toEqual({ reason: 'changed', uid: held.uid });
    });
  });

  guarantee('a dependent that goes wakes for its tombstoned parent and owners', async (store) => {
    const [parent, owner, living] = [await given(store), await given(store), await given(store)];
    const child = await givenBelow(store, [parent], 'Part', {
      ownerReferences: [ownedBy(owner), ownedBy(living)],
    });
    await tombstone(store, parent);
    await tombstone(store, owner);
    await listening(store, async (heard) => {
      await heard.next();
      await store.removeRow(child.uid);
      const uids = [await heard.next(), await heard.next()].map((wakeUp) => 'uid' in wakeUp && wakeUp.uid);
      expect(new Set(uids)).toEqual(new Set([parent.uid, owner.uid]));
      await heard.nothingElse(store);
    });
  });

  guarantee('a protection that goes wakes for the tombstoned parent and owners', async (store) => {
    const [parent, owner] = [await given(store), await given(store)];
    const child = await givenBelow(store, [parent], 'Part', {
      metadata: protectedMetadata,
      ownerReferences: [ownedBy(owner)],
    });
    await tombstone(store, parent);
    await tombstone(store, owner);
    await listening(store, async (heard) => {
      await heard.next();
      await store.writer.replace(replacement(child, { metadata: '{"annotations":{}}' }));
      const uids = [await heard.next(), await heard.next()].map((wakeUp) => 'uid' in wakeUp && wakeUp.uid);
      expect(new Set(uids)).toEqual(new Set([parent.uid, owner.uid]));
      await heard.nothingElse(store);
    });
  });

  guarantee('a reference that is dropped wakes for the tombstoned owner', async (store) => {
    const owner = await given(store);
    const dependent = await given(store, { ownerReferences: [ownedBy(owner, { blockOwnerDeletion: true })] });
    await tombstone(store, owner);
    await listening(store, async (heard) => {
      await heard.next();
      await store.writer.replace(replacement(dependent, { ownerReferences: [] }));
      expect(await heard.next()).toEqual({ reason: 'changed', uid: owner.uid });
    });
  });

  guarantee('what the collector does itself wakes nobody', async (store) => {
    const root = await given(store);
    const child = await givenBelow(store, [root], 'Part', { finalizers: ['x/hold'] });
    await tombstone(store, root);
    const attempt = await store.collectorLease.acquire('the suite', 60);
    if (!attempt.held) throw new Error('the lease is not free');
    await listening(store, async (heard) => {
      await heard.next();
      const batch = { uids: [root.uid, child.uid], lockWait: 'skip', fence: attempt.fence } as const;
      await store.garbageCollector.collectBatch(batch, planBatch);
      await store.garbageCollector.collectBatch({ ...batch, uids: [root.uid] }, planBatch);
      await heard.nothingElse(store);
    });
  });

  guarantee('a lease that is given back and a switch that is moved wake every replica', async (store) => {
    const attempt = await store.collectorLease.acquire('the suite', 60);
    if (!attempt.held) throw new Error('the lease is not free');
    await listening(store, async (heard) => {
      await heard.next();
      await store.collectorPause.pause();
      expect(await heard.next()).toEqual({ reason: 'lease' });
      await store.collectorPause.resume();
      expect(await heard.next()).toEqual({ reason: 'lease' });
      await store.collectorLease.release(attempt.fence);
      expect(await heard.next()).toEqual({ reason: 'lease' });
    });
  });
}

function without(row: Resource, ...remove: readonly string[]): FinalizersCommand {
  return { change: testChange, definition: null, ref: byUid(row), add: [], remove, limit: 64 };
}

/** The wake-ups, in their order. */
class Heard {
  readonly #heard: WakeUp[] = [];
  #waiting: ((wakeUp: WakeUp) => void) | null = null;

  hear(wakeUp: WakeUp): void {
    const waiting = this.#waiting;
    this.#waiting = null;
    if (waiting === null) this.#heard.push(wakeUp);
    else waiting(wakeUp);
  }

  next(): Promise<WakeUp> {
    const next = this.#heard.shift();
    return next === undefined
      ? new Promise((resolve) => {
          this.#waiting = resolve;
        })
      : Promise.resolve(next);
  }

  /** Wake-ups come in the order of the commits: the next one must be that of what is done now. */
  async nothingElse({ collectorPause }: GarbageCollectorStoreUnderTest): Promise<void> {
    await collectorPause.pause();
    expect(await this.next()).toEqual({ reason: 'lease' });
  }
}

async function listening(
  store: GarbageCollectorStoreUnderTest,
  use: (heard: Heard) => Promise<void>,
): Promise<void> {
  const heard = new Heard();
  const listener = await store.collectorWakeUps.listen((wakeUp) => heard.hear(wakeUp));
  try {
    await use(heard);
  } finally {
    await listener.close();
  }
}
