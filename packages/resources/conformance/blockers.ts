import type { Resource } from '../src/model/resource.ts';
import type { BlockerReport } from '../src/ports/resource-reader.ts';
import { byPath, byUid, collection, given, givenBelow, ownedBy } from './builders.ts';
import { tombstone } from './steps.ts';
import type { StoreUnderTest, Suite } from './suite.ts';

const blocking = { blockOwnerDeletion: true };

/** `ResourceReader.blockers`. */
export function blockers({ guarantee }: Suite): void {
  guarantee(
    'structural children and blocking owner-reference dependents block a row, others do not',
    async (store) => {
      const widget = await given(store);
      const child = await givenBelow(store, [widget], 'Part');
      const dependent = await given(store, { ownerReferences: [ownedBy(widget, blocking)] });
      await given(store, { ownerReferences: [ownedBy(widget)] });
      await givenBelow(store, [widget, child], 'Screw');
      const other = await given(store);
      await given(store, { ownerReferences: [ownedBy(widget), ownedBy(other, blocking)] });
      expect(await report(store, widget)).toEqual({
        outcome: 'report',
        resource: widget,
        blockers: [
          { relationship: 'structuralChild', resource: child },
          { relationship: 'ownerReference', resource: dependent },
        ],
        truncated: false,
      });
    },
  );

  guarantee('tombstoned dependents block a row until they are removed', async (store) => {
    const widget = await given(store);
    const child = await tombstone(store, await givenBelow(store, [widget], 'Part'));
    const dependent = await given(store, { ownerReferences: [ownedBy(widget, blocking)] });
    await tombstone(store, dependent);
    const held = await report(store, await tombstone(store, widget));
    expect(held.blockers.map((blocker) => blocker.resource.uid)).toEqual([child.uid, dependent.uid]);
    expect(held.blockers[0]?.resource).toEqual(child);
    await store.removeRow(dependent.uid);
    expect((await report(store, widget)).blockers).toHaveLength(1);
  });

  guarantee('a blocker that is both a child and owned is listed once, as structural', async (store) => {
    const widget = await given(store);
    const both = await givenBelow(store, [widget], 'Part', { ownerReferences: [ownedBy(widget, blocking)] });
    expect((await report(store, widget)).blockers).toEqual([
      { relationship: 'structuralChild', resource: both },
    ]);
  });

  guarantee(
    'blockers are sorted: structural first, then by apiVersion, kind, name and uid',
    async (store) => {
      const widget = await given(store);
      const elsewhere = await given(store);
      const owned = { ownerReferences: [ownedBy(widget, blocking)] };
      const children = [
        await givenBelow(store, [widget], 'Part', { name: 'a-b' }),
        await givenBelow(store, [widget], 'Part', { name: 'a0' }),
        await givenBelow(store, [widget], 'Screw', { name: 'a' }),
        await givenBelow(store, [widget], 'Part', { name: 'a', apiVersion: 'example.dev/v2' }),
      ];
      const twins = [
        await givenBelow(store, [], 'Part', { name: 'same', ...owned }),
        await givenBelow(store, [elsewhere], 'Part', { name: 'same', ...owned }),
      ].sort((a, b) => (a.uid < b.uid ? -1 : 1));
      const other = { ...collection('Part'), group: 'aaa.dev' };
      const first = await given(store, { collection: other, apiVersion: 'aaa.dev/v1', ...owned });
      const { blockers: found } = await report(store, widget);
      expect(found.map((blocker) => blocker.resource.uid)).toEqual(
        [...children, first, ...twins].map((row) => row.uid),
      );
    },
  );

  guarantee('a truncated report says that it is truncated', async (store) => {
    const widget = await given(store);
    const names = ['a', 'b', 'c'];
    for (const name of names) await givenBelow(store, [widget], 'Part', { name });
    const found = async (limit: number) => {
      const { blockers: some, truncated } = await report(store, widget, limit);
      return [some.map((blocker) => blocker.resource.name), truncated];
    };
    expect(await found(2)).toEqual([['a', 'b'], true]);
    expect(await found(3)).toEqual([names, false]);
    expect(await found(4)).toEqual([names, false]);
  });

  guarantee('a report of an item that does not exist is missing, by path and by UID', async (store) => {
    const widget = await given(store);
    for (const ref of [
      byPath({ ...widget, name: 'absent' }),
      { ...byUid(widget), kind: 'Part' },
      { by: 'unregistered', uid: widget.uid, apiVersion: 'example.dev/v2' } as const,
    ]) {
      expect(await store.reader.blockers(ref, 10, null)).toEqual({ outcome: 'missing' });
    }
    const unregistered = { by: 'unregistered', uid: widget.uid, apiVersion: 'example.dev/v1' } as const;
    expect(await store.reader.blockers(unregistered, 10, null)).toMatchObject({
      resource: widget,
      blockers: [],
    });
  });
}

async function report(store: StoreUnderTest, resource: Resource, limit = 1000): Promise<BlockerReport> {
  const outcome = await store.reader.blockers(byUid(resource), limit, null);
  if (outcome.outcome !== 'report') throw new Error(`expected a report, got ${outcome.outcome}`);
  return outcome;
}
