import type { OwnerReference } from '../src/model/owner-reference.ts';
import type { Resource } from '../src/model/resource.ts';
import {
  adoption,
  creation,
  given,
  givenBelow,
  givenDefinition,
  givenOrganization,
  ownedBy,
  read,
  replacement,
  reread,
} from './builders.ts';
import { deleteRow, tombstone } from './steps.ts';
import type { StoreUnderTest, Suite } from './suite.ts';

/** The checks of owner references. */
export function owners({ guarantee }: Suite): void {
  guarantee('create and replace accept a live owner and store the reference unchanged', async (store) => {
    const one = await given(store);
    const two = await given(store);
    const references = [ownedBy(two, { blockOwnerDeletion: true }), ownedBy(one)];
    expect(await given(store, { ownerReferences: references })).toMatchObject({
      ownerReferences: references,
    });
    const adopted = await store.writer.replace(adoption(await given(store), ...references));
    expect(adopted).toMatchObject({ outcome: 'replaced', resource: { ownerReferences: references } });
  });

  guarantee(
    'an owner is matched by group and kind, so another version of its group is accepted',
    async (store) => {
      const owner = await given(store);
      const reference = ownedBy(owner, { apiVersion: 'example.dev/v9' });
      const row = await given(store, { ownerReferences: [reference] });
      expect((await reread(store, row)).ownerReferences).toEqual([reference]);
    },
  );

  guarantee('built-in rows and rows at any depth can be owners', async (store) => {
    const organization = await givenOrganization(store, 'acme');
    const definition = await givenDefinition(store, { group: 'example.dev', kind: 'Gadget' });
    const part = await givenBelow(store, [await given(store)], 'Part');
    const references = [organization, definition, part].map((owner) => ownedBy(owner));
    expect((await given(store, { ownerReferences: references })).ownerReferences).toEqual(references);
  });

  guarantee('missing, tombstoned and mismatched owners are refused, each with its pointer', async (store) => {
    const good = ownedBy(await given(store));
    const bad = await unacceptable(store);
    const references = bad.flatMap((reference) => [good, reference]);
    const faults = bad.map(({ kind, name }, index) => ({
      path: `/metadata/ownerReferences/${index * 2 + 1}/uid`,
      message: `does not identify a live ${kind} named ${name}`,
    }));
    const command = creation({ ownerReferences: references });
    expect(await store.writer.create(command)).toEqual({ outcome: 'ownersRefused', faults });
    const row = await given(store);
    expect(await store.writer.replace(adoption(row, ...references))).toEqual({
      outcome: 'ownersRefused',
      faults,
    });
    expect(await read(store, row)).toEqual(row);
  });

  guarantee('each kind of invalid owner alone is refused', async (store) => {
    for (const reference of await unacceptable(store)) {
      const outcome = await store.writer.create(creation({ ownerReferences: [reference] }));
      expect(outcome).toMatchObject({ outcome: 'ownersRefused' });
    }
  });

  guarantee('a replacement does not check stored references again', async (store) => {
    const dead = await given(store, { finalizers: ['example.dev/hold'] });
    const gone = await given(store);
    const row = await given(store, { ownerReferences: [ownedBy(dead), ownedBy(gone)] });
    await tombstone(store, dead);
    await store.removeRow(gone.uid);
    const added = ownedBy(await given(store));
    const outcome = await store.writer.replace(adoption(row, added));
    expect(outcome).toMatchObject({ outcome: 'replaced', resource: { ownerReferences: { length: 3 } } });
  });

  guarantee('the pointer of a fault is the index among all references', async (store) => {
    const kept = ownedBy(await given(store));
    const row = await given(store, { ownerReferences: [kept] });
    const missing = ownedBy(await given(store), { uid: creation().uid });
    expect(await store.writer.replace(adoption(row, missing))).toMatchObject({
      outcome: 'ownersRefused',
      faults: [{ path: '/metadata/ownerReferences/1/uid' }],
    });
  });

  guarantee('an owner that a replacement removes no longer has the dependent', async (store) => {
    const owner = await given(store);
    const row = await given(store, { ownerReferences: [ownedBy(owner, { blockOwnerDeletion: true })] });
    await store.writer.replace(replacement(row, { ownerReferences: [] }));
    expect(await deleteRow(store, owner)).toEqual({ outcome: 'removed', cascades: [] });
    expect(await read(store, row)).toMatchObject({ deletionTimestamp: null, ownerReferences: [] });
  });

  guarantee('a row that is created again under the name of an owner owns nothing', async (store) => {
    const owner = await given(store);
    const row = await given(store, { ownerReferences: [ownedBy(owner)] });
    await store.removeRow(owner.uid);
    const again = await given(store, { name: owner.name });
    expect(await deleteRow(store, again)).toEqual({ outcome: 'removed', cascades: [] });
    expect(await read(store, row)).toEqual(row);
  });
}

/** Cycles over parent and owner-reference edges. */
export function cycles({ guarantee }: Suite): void {
  const refused = async (store: StoreUnderTest, row: Resource, owner: Resource): Promise<void> => {
    const before = await reread(store, row);
    expect(await store.writer.replace(adoption(before, ownedBy(owner)))).toEqual({ outcome: 'ownerCycle' });
    expect(await read(store, row)).toEqual(before);
  };

  guarantee('a row cannot own itself', async (store) => {
    const row = await given(store);
    await refused(store, row, row);
  });

  guarantee('a row cannot be owned by a row that it owns, at any distance', async (store) => {
    const first = await given(store);
    let last = first;
    for (let length = 0; length < 6; length += 1) {
      last = await given(store, { ownerReferences: [ownedBy(last)] });
      await refused(store, first, last);
    }
  });

  guarantee('a row cannot be owned by a row below it, at any depth', async (store) => {
    const widget = await given(store);
    const part = await givenBelow(store, [widget], 'Part');
    const screw = await givenBelow(store, [widget, part], 'Screw');
    await refused(store, widget, part);
    await refused(store, widget, screw);
    await refused(store, part, screw);
  });

  guarantee('a cycle over parents and owners is refused', async (store) => {
    const one = await given(store);
    const below = await givenBelow(store, [one], 'Part');
    const two = await given(store, { ownerReferences: [ownedBy(below)] });
    const belowTwo = await givenBelow(store, [two], 'Part');
    await refused(store, one, belowTwo);
    await refused(store, one, two);
    await refused(store, below, belowTwo);
  });

  guarantee('one reference that closes a cycle refuses all of them', async (store) => {
    const row = await given(store);
    const good = await given(store);
    const owned = await given(store, { ownerReferences: [ownedBy(row)] });
    const command = adoption(row, ownedBy(good), ownedBy(owned));
    expect(await store.writer.replace(command)).toEqual({ outcome: 'ownerCycle' });
    expect(await read(store, row)).toEqual(row);
  });

  guarantee('owners with a common ancestor are not a cycle', async (store) => {
    const top = await given(store);
    const left = await given(store, { ownerReferences: [ownedBy(top)] });
    const right = await givenBelow(store, [top], 'Part');
    const row = await given(store, { ownerReferences: [ownedBy(left)] });
    expect(await store.writer.replace(adoption(row, ownedBy(right), ownedBy(top)))).toMatchObject({
      outcome: 'replaced',
    });
    const below = await givenBelow(store, [top], 'Screw', { ownerReferences: [ownedBy(top)] });
    expect(below.ownerReferences).toHaveLength(1);
  });

  guarantee('a cycle that was broken by removing a reference no longer counts', async (store) => {
    const one = await given(store);
    const two = await given(store, { ownerReferences: [ownedBy(one)] });
    await store.writer.replace(replacement(two, { ownerReferences: [] }));
    expect(await store.writer.replace(adoption(one, ownedBy(two)))).toMatchObject({ outcome: 'replaced' });
  });

  guarantee('an invalid owner is refused before cycles are searched', async (store) => {
    const row = await given(store);
    const owned = await given(store, { ownerReferences: [ownedBy(row)] });
    const missing = ownedBy(owned, { uid: creation().uid });
    expect(await store.writer.replace(adoption(row, ownedBy(owned), missing))).toMatchObject({
      outcome: 'ownersRefused',
    });
  });
}

/** One reference for each reason to refuse it. */
async function unacceptable(store: StoreUnderTest): Promise<readonly OwnerReference[]> {
  const live = await given(store);
  const other = await given(store);
  const dead = await tombstone(store, await given(store, { finalizers: ['example.dev/hold'] }));
  return [
    ownedBy(other, { uid: creation().uid }),
    ownedBy(dead),
    ownedBy(await givenBelow(store, [live], 'Part'), { kind: 'Screw' }),
    ownedBy(await given(store), { name: other.name }),
    ownedBy(await given(store), { apiVersion: 'other.dev/v1' }),
  ];
}
