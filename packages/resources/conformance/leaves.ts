import type { Resource } from '../src/model/resource.ts';
import type { LeafOutcome } from '../src/ports/resource-writer.ts';
import {
  adoption,
  byUid,
  collection,
  creation,
  given,
  givenBelow,
  ownedBy,
  read,
  reread,
  testChange,
} from './builders.ts';
import { protectedMetadata } from './protection.ts';
import { tally, tombstone, upTo } from './steps.ts';
import type { StoreUnderTest, Suite } from './suite.ts';

/** `removeLeaf` of the writer. */
export function leaves({ guarantee }: Suite): void {
  guarantee('a row that nothing keeps is removed, and returned as it was', async (store) => {
    const widget = await given(store);
    const part = await givenBelow(store, [widget], 'Part');
    expect(await removeLeaf(store, part)).toEqual({ outcome: 'removed', resource: part });
    expect(await read(store, part)).toBeNull();
    expect(await removeLeaf(store, widget)).toEqual({ outcome: 'removed', resource: widget });
    expect(await removeLeaf(store, widget)).toEqual({ outcome: 'kept' });
  });

  guarantee('a row that something keeps stays as it is', async (store) => {
    const parent = await given(store);
    await givenBelow(store, [parent], 'Part');
    const owner = await given(store);
    await given(store, { ownerReferences: [ownedBy(owner)] });
    const held = await given(store, { finalizers: ['x/a'] });
    const guarded = await given(store, { metadata: protectedMetadata });
    const tombstoned = await tombstone(store, await given(store));
    for (const row of [parent, owner, held, guarded, tombstoned]) {
      expect(await removeLeaf(store, row)).toEqual({ outcome: 'kept' });
      expect(await reread(store, row)).toEqual(row);
    }
  });

  guarantee(
    'one of many concurrent removals of one row removes it, and each of many rows goes',
    async (store) => {
      const rows = await Promise.all(upTo(6).map(() => given(store)));
      const outcomes = await Promise.all([...rows, ...rows].map((row) => removeLeaf(store, row)));
      expect(tally(outcomes)).toEqual({ removed: 6, kept: 6 });
    },
  );

  // Attack: the dependent is committed after the statement took its snapshot, and before it has locked the row.
  guarantee('a dependent that is made at the same moment is refused, or keeps the row', async (store) => {
    for (const round of upTo(40)) {
      const widget = await given(store);
      const other = await given(store);
      const below = creation({ collection: collection('Part', widget) });
      const owned = creation({ ownerReferences: [ownedBy(widget)] });
      const make = [
        () => store.writer.create(round % 2 === 0 ? below : owned),
        () => store.writer.replace(adoption(other, ownedBy(widget))),
      ];
      const [removal, making] = await Promise.all([
        removeLeaf(store, widget),
        (make[round % 3 === 0 ? 1 : 0] as () => Promise<{ outcome: string }>)(),
      ]);
      const made = ['created', 'replaced'].includes(making.outcome);
      expect([round, removal.outcome]).toEqual([round, made ? 'kept' : 'removed']);
    }
  });
}

function removeLeaf(store: StoreUnderTest, row: Resource): Promise<LeafOutcome> {
  return store.writer.removeLeaf({ change: testChange, definition: null, ref: byUid(row) });
}
