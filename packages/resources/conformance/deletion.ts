import { cascadeFinalizer } from '../src/model/names.ts';
import type { Resource } from '../src/model/resource.ts';
import type { LockedResource } from '../src/ports/transactions.ts';
import {
  byPath,
  byUid,
  collection,
  creation,
  given,
  givenBelow,
  givenOrganization,
  ownedBy,
  read,
  reread,
  testChange,
} from './builders.ts';
import { deleteIn, deleteRow, letOthersRun, signal, tombstone } from './steps.ts';
import type { StoreUnderTest, Suite } from './suite.ts';

const blocking = { blockOwnerDeletion: true };

/** `DeletionSteps` without the cascade. */
export function deletion({ guarantee }: Suite): void {
  guarantee(
    'a row is locked by path, by UID and as an unregistered kind, and returned unchanged',
    async (store) => {
      const widget = await given(store, { finalizers: ['x/a'] });
      const part = await givenBelow(store, [widget], 'Part');
      const unregistered = { by: 'unregistered', uid: part.uid, apiVersion: 'example.dev/v1' } as const;
      for (const ref of [byPath(widget, part), byUid(part), unregistered]) {
        const locked = await store.transactions.run((transaction) => transaction.deletion.lock(ref, null));
        expect(locked).toEqual({ outcome: 'locked', resource: part, blocked: false });
      }
      expect(await lock(store, widget)).toEqual({ outcome: 'locked', resource: widget, blocked: true });
      expect(await read(store, widget)).toEqual(widget);
    },
  );

  guarantee('a row that does not exist is missing', async (store) => {
    const widget = await given(store);
    for (const ref of [
      byPath({ ...widget, name: 'absent' }),
      { ...byUid(widget), kind: 'Part' },
      { by: 'unregistered', uid: widget.uid, apiVersion: 'example.dev/v2' } as const,
    ]) {
      const outcome = await store.transactions.run((transaction) => transaction.deletion.lock(ref, null));
      expect(outcome).toEqual({ outcome: 'missing' });
    }
  });

  guarantee('a structural child blocks, live or tombstoned, until it is removed', async (store) => {
    const widget = await given(store);
    const part = await givenBelow(store, [widget], 'Part');
    expect(await lock(store, widget)).toMatchObject({ blocked: true });
    await tombstone(store, part);
    expect(await lock(store, widget)).toMatchObject({ blocked: true });
    await store.removeRow(part.uid);
    expect(await lock(store, widget)).toMatchObject({ blocked: false });
  });

  guarantee(
    'an owner-reference dependent blocks only when its reference to this owner blocks',
    async (store) => {
      const free = await given(store);
      const held = await given(store);
      const references = [ownedBy(free), ownedBy(held, blocking)];
      const dependent = await given(store, { ownerReferences: references });
      expect(await lock(store, free)).toMatchObject({ blocked: false });
      expect(await lock(store, held)).toMatchObject({ blocked: true });
      await tombstone(store, dependent);
      expect(await lock(store, held)).toMatchObject({ blocked: true });
      expect(await lock(store, dependent)).toMatchObject({ blocked: false });
    },
  );

  guarantee(
    'a tombstone has the timestamp and the next revision, and is otherwise unchanged',
    async (store) => {
      const widget = await given(store, { finalizers: ['x/a'] });
      const marked = await tombstone(store, widget);
      expect(marked).toEqual({
        ...widget,
        revision: 2,
        deletionTimestamp: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
      });
      expect(await read(store, widget)).toEqual(marked);
    },
  );

  guarantee('the cascade finalizer is added on request, once and after the others', async (store) => {
    for (const finalizers of [[], ['x/a'], [cascadeFinalizer, 'x/a']]) {
      const widget = await given(store, { finalizers });
      const marked = await store.transactions.run(async (transaction) => {
        await transaction.deletion.lock(byUid(widget), null);
        return transaction.deletion.tombstone(widget.uid, { cascadeFinalizer: true, change: testChange });
      });
      const expected = finalizers.includes(cascadeFinalizer) ? finalizers : [...finalizers, cascadeFinalizer];
      expect(marked).toMatchObject({ finalizers: expected, revision: 2 });
      expect(await read(store, widget)).toEqual(marked);
    }
  });

  guarantee('a removed row is not found', async (store) => {
    const widget = await given(store);
    const kept = await given(store);
    expect(await deleteRow(store, widget)).toEqual({ outcome: 'removed', cascades: [] });
    expect(await read(store, widget)).toBeNull();
    expect(await read(store, kept)).toEqual(kept);
  });

  guarantee('a row with structural children cannot be removed', async (store) => {
    const widget = await given(store);
    const part = await givenBelow(store, [widget], 'Part');
    const attempt = store.transactions.run(async (transaction) => {
      await transaction.deletion.lock(byUid(widget), null);
      await transaction.deletion.remove(widget.uid, testChange);
    });
    await expect(attempt).rejects.toThrow();
    expect(await read(store, widget)).toEqual(widget);
    expect(await read(store, part)).toEqual(part);
  });

  guarantee('an Organization without projects and teams has no typed children', async (store) => {
    const organization = await givenOrganization(store, 'acme');
    const linked = await store.transactions.run(async (transaction) => {
      await transaction.deletion.lock(byUid(organization), null);
      return transaction.deletion.hasTypedChildren(organization.uid);
    });
    expect(linked).toBe(false);
  });
}

/** Writes that wait for the lock of a deletion. */
export function deletionLocks({ guarantee }: Suite): void {
  guarantee(
    'a create under a row that is being deleted waits, and then sees the tombstone',
    async (store) => {
      const widget = await given(store);
      const part = await givenBelow(store, [widget], 'Part');
      const command = creation({ collection: collection('Screw', widget, part) });
      const outcome = await whileDeleting(store, part, ['x/hold'], () => store.writer.create(command));
      expect(outcome).toEqual({ outcome: 'ancestorTerminating', name: part.name });
      expect((await reread(store, part)).deletionTimestamp).not.toBeNull();
    },
  );

  guarantee('a create under a row that is being removed waits, and then misses its parent', async (store) => {
    const widget = await given(store);
    const command = creation({ collection: collection('Part', widget) });
    const outcome = await whileDeleting(store, widget, [], () => store.writer.create(command));
    expect(outcome).toEqual({ outcome: 'ancestorMissing' });
  });

  guarantee('a create with an owner that is being deleted waits, and is refused', async (store) => {
    for (const finalizers of [['x/hold'], []]) {
      const owner = await given(store);
      const command = creation({ ownerReferences: [ownedBy(owner)] });
      const outcome = await whileDeleting(store, owner, finalizers, () => store.writer.create(command));
      expect(outcome).toMatchObject({ outcome: 'ownersRefused' });
    }
  });

  guarantee('a replacement that adds an owner that is being deleted waits, and is refused', async (store) => {
    const owner = await given(store);
    const row = await given(store);
    const reference = ownedBy(owner);
    const outcome = await whileDeleting(store, owner, ['x/hold'], () =>
      store.writer.replace({
        change: testChange,
        definition: null,
        uid: row.uid,
        revision: row.revision,
        apiVersion: row.apiVersion,
        labels: {},
        metadata: row.metadata,
        spec: row.spec,
        specChanged: false,
        finalizers: [],
        ownerReferences: [reference],
        addedOwners: [reference],
      }),
    );
    expect(outcome).toMatchObject({ outcome: 'ownersRefused' });
    expect(await read(store, row)).toEqual(row);
  });

  guarantee(
    'adding a finalizer to a row that is being removed waits, and then misses the row',
    async (store) => {
      const widget = await given(store);
      const command = {
        change: testChange,
        definition: null,
        ref: byUid(widget),
        add: ['x/late'],
        remove: [],
        limit: 64,
      };
      const outcome = await whileDeleting(store, widget, [], () => store.writer.changeFinalizers(command));
      expect(outcome).toEqual({ outcome: 'missing' });
      expect(await read(store, widget)).toBeNull();
    },
  );

  guarantee('a second deletion of the row waits, and then misses it', async (store) => {
    const widget = await given(store);
    const outcome = await whileDeleting(store, widget, [], () => deleteRow(store, widget));
    expect(outcome).toEqual({ outcome: 'missing' });
  });
}

/** Starts `other` between the lock of a deletion and its commit; returns the result of `other`. */
async function whileDeleting<T>(
  store: StoreUnderTest,
  resource: Resource,
  finalizers: readonly string[],
  other: () => Promise<T>,
): Promise<T> {
  const ref = byUid(resource);
  if (finalizers.length > 0) {
    await store.writer.changeFinalizers({
      change: testChange,
      definition: null,
      ref,
      add: finalizers,
      remove: [],
      limit: 64,
    });
  }
  const locked = signal();
  const started = signal();
  const deleted = store.transactions.run(async (transaction) => {
    await transaction.deletion.lock(ref, null);
    locked.send();
    await started.sent;
    return deleteIn(transaction, ref);
  });
  await locked.sent;
  const outcome = other();
  await letOthersRun(store);
  started.send();
  await deleted;
  return outcome;
}

async function lock(store: StoreUnderTest, resource: Resource): Promise<LockedResource> {
  const outcome = await store.transactions.run(({ deletion: steps }) => steps.lock(byUid(resource), null));
  if (outcome.outcome !== 'locked') throw new Error(`expected a locked row, got ${outcome.outcome}`);
  return outcome;
}
