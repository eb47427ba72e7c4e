import {
  adoption,
  byUid,
  collection,
  creation,
  given,
  givenBelow,
  givenDefinition,
  namesIn,
  ownedBy,
  read,
  replacement,
  reread,
  testChange,
  versionOf,
} from './builders.ts';
import { deleteIn, deleteRow, outcomeOf, tally, upTo } from './steps.ts';
import type { StoreUnderTest, Suite } from './suite.ts';

const rounds = 12;

/** Concurrent writes keep the invariants in any order. */
export function races({ guarantee }: Suite): void {
  guarantee('one of many concurrent creates of one name succeeds', async (store) => {
    const outcomes = await Promise.all(upTo(12).map(() => store.writer.create(creation({ name: 'wanted' }))));
    expect(tally(outcomes)).toEqual({ created: 1, nameTaken: 11 });
    expect(await namesIn(store, collection('Widget'))).toEqual(['wanted']);
  });

  guarantee('one of many concurrent creates of one discriminator succeeds', async (store) => {
    const outcomes = await Promise.all(
      upTo(12).map(() => store.writer.create(creation({ discriminator: 'd-wanted' }))),
    );
    expect(tally(outcomes)).toEqual({ created: 1, discriminatorTaken: 11 });
    expect(await namesIn(store, collection('Widget'))).toHaveLength(1);
  });

  guarantee('one of many concurrent replacements of one revision succeeds', async (store) => {
    const widget = await given(store);
    const outcomes = await Promise.all(
      upTo(12).map((index) => store.writer.replace(replacement(widget, { spec: `{"a":${index}}` }))),
    );
    expect(tally(outcomes)).toEqual({ replaced: 1, revisionMismatch: 11 });
    const winner = outcomes.find((outcome) => outcome.outcome === 'replaced');
    expect(winner).toEqual({ outcome: 'replaced', resource: await reread(store, widget) });
  });

  guarantee('no concurrent status write is lost, and each is one revision', async (store) => {
    const widget = await given(store);
    const slots = upTo(12).map((index) => `slot-${index}`);
    const outcomes = await Promise.all(
      slots.map((slot) =>
        store.writer.replaceStatus({
          change: testChange,
          definition: null,
          ref: byUid(widget),
          slot,
          value: '1',
        }),
      ),
    );
    const revisions = outcomes.map((outcome) =>
      outcome.outcome === 'written' ? outcome.resource.revision : 0,
    );
    expect([...revisions].sort((a, b) => a - b)).toEqual(upTo(12).map((index) => index + 2));
    const stored = JSON.parse((await reread(store, widget)).status);
    expect(Object.keys(stored.controllers).sort()).toEqual([...slots].sort());
  });

  guarantee('concurrent additions of finalizers stop at the limit', async (store) => {
    const widget = await given(store);
    const outcomes = await Promise.all(
      upTo(12).map((index) => {
        const ref = byUid(widget);
        return store.writer.changeFinalizers({
          change: testChange,
          definition: null,
          ref,
          add: [`x/${index}`],
          remove: [],
          limit: 5,
        });
      }),
    );
    expect(tally(outcomes)).toEqual({ written: 5, tooManyFinalizers: 7 });
    expect(await reread(store, widget)).toMatchObject({ finalizers: { length: 5 }, revision: 6 });
  });

  guarantee('one of concurrent owner references that would form a cycle is refused', async (store) => {
    for (const length of [2, 3, 5]) {
      const rows = await Promise.all(upTo(length).map(() => given(store)));
      const outcomes = await Promise.all(
        rows.map((row, index) =>
          store.writer.replace(adoption(row, ownedBy(rows[(index + 1) % length] ?? row))),
        ),
      );
      expect(tally(outcomes)).toEqual({ replaced: length - 1, ownerCycle: 1 });
    }
  });

  guarantee('one of many concurrent deletions of one row removes it', async (store) => {
    const widget = await given(store);
    const outcomes = await Promise.all(upTo(6).map(() => deleteRow(store, widget)));
    expect(tally(outcomes)).toEqual({ removed: 1, missing: 5 });
  });

  guarantee('concurrent deletions of one tree mark each dependent once', async (store) => {
    const widget = await given(store);
    for (const _ of upTo(5)) await givenBelow(store, [widget], 'Part');
    const outcomes = await Promise.all(upTo(6).map(() => deleteRow(store, widget)));
    const marked = outcomes.flatMap((outcome) => ('cascades' in outcome ? outcome.cascades : []));
    expect(tally(outcomes)).toEqual({ tombstoned: 6 });
    expect(new Set(marked.map((one) => one.dependent.uid)).size).toBe(5);
    expect(marked).toHaveLength(5);
    expect(await reread(store, widget)).toMatchObject({ revision: 2 });
  });
}

/** Concurrent creates and deletions. */
export function racesWithDeletion({ guarantee }: Suite): void {
  guarantee(
    'a create during the deletion of its parent leaves no row without parent and no live row under a tombstone',
    async (store) => {
      for (const round of upTo(rounds)) {
        const widget = await given(store);
        const part = await givenBelow(store, [widget], 'Part');
        const command = creation({ collection: collection('Screw', widget, part) });
        const calls = [() => store.writer.create(command), () => deleteRow(store, part)];
        const [creating] = await inEitherOrder(round, calls);
        const child = await read(store, { ...widget, uid: command.uid, kind: 'Screw' });
        const parent = await read(store, part);
        if (child !== null) {
          expect(parent?.deletionTimestamp).toEqual(expect.any(String));
          expect(child.deletionTimestamp).toEqual(expect.any(String));
        } else {
          expect(['ancestorMissing', 'ancestorTerminating']).toContain(creating?.outcome);
        }
      }
    },
  );

  guarantee(
    'a create during the deletion of a higher ancestor is refused or can be collected',
    async (store) => {
      for (const round of upTo(rounds)) {
        const widget = await given(store);
        const part = await givenBelow(store, [widget], 'Part');
        const command = creation({ collection: collection('Screw', widget, part) });
        await inEitherOrder(round, [() => store.writer.create(command), () => deleteRow(store, widget)]);
        const child = await read(store, { ...widget, uid: command.uid, kind: 'Screw' });
        if (child !== null) expect(await reread(store, part)).toMatchObject({ uid: child.parentUid });
        expect(await reread(store, part)).toMatchObject({ deletionTimestamp: expect.any(String) });
        expect(await reread(store, widget)).toMatchObject({ deletionTimestamp: expect.any(String) });
      }
    },
  );

  guarantee('a reference during the deletion of its owner is refused or deleted with it', async (store) => {
    for (const round of upTo(rounds)) {
      const owner = await given(store);
      const row = await given(store);
      const command = creation({
        ownerReferences: [ownedBy(owner, { blockOwnerDeletion: round % 3 === 0 })],
      });
      const [creating, adopting] = await Promise.all([
        store.writer.create(command),
        store.writer.replace(adoption(row, ownedBy(owner))),
        deleteRow(store, owner),
      ]);
      const made = await read(store, { ...owner, uid: command.uid });
      expect(made === null).toBe(creating.outcome === 'ownersRefused');
      if (made !== null) expect(made.deletionTimestamp).toEqual(expect.any(String));
      const adopted = await reread(store, row);
      expect(adopted.ownerReferences.length === 0).toBe(adopting.outcome === 'ownersRefused');
      if (adopting.outcome === 'replaced') expect(adopted.deletionTimestamp).toEqual(expect.any(String));
    }
  });

  guarantee(
    'a create during the deletion of its definition leaves no instance without definition',
    async (store) => {
      for (const round of upTo(rounds)) {
        const kind = `Kind${round}`;
        const definition = await givenDefinition(store, { group: 'example.dev', kind });
        const version = await versionOf(store, definition);
        const command = creation({ definition: version, collection: collection(kind) });
        const [creating, deleting] = await inEitherOrder(round, [
          async () => ({ outcome: await outcomeOf(store.writer.create(command)) }),
          () => deleteUnused(store, definition),
        ]);
        const instances = await namesIn(store, collection(kind));
        const stillDefined = (await read(store, definition)) !== null;
        expect(instances.length > 0).toBe(stillDefined);
        expect([creating?.outcome, deleting?.outcome]).toContain(stillDefined ? 'created' : 'removed');
      }
    },
  );

  guarantee(
    'concurrent cascades over the same rows end, and mark every dependent exactly once',
    async (store) => {
      for (const _ of upTo(rounds)) {
        const owners = await Promise.all(upTo(4).map(() => given(store, { finalizers: ['x/hold'] })));
        const references = owners.map((owner) => ownedBy(owner, { blockOwnerDeletion: true }));
        const shared = await Promise.all(upTo(4).map(() => given(store, { ownerReferences: references })));
        const outcomes = await Promise.all(owners.map((owner) => deleteRow(store, owner)));
        expect(tally(outcomes)).toEqual({ tombstoned: 4 });
        const marked = outcomes.flatMap((outcome) => ('cascades' in outcome ? outcome.cascades : []));
        expect(marked.map((one) => one.dependent.uid).sort()).toEqual(shared.map((row) => row.uid).sort());
        for (const row of shared) expect(await reread(store, row)).toMatchObject({ revision: 2 });
      }
    },
  );

  guarantee('concurrent deletions of rows that depend on each other end', async (store) => {
    for (const _ of upTo(rounds)) {
      const left = await given(store);
      const right = await given(store);
      const underLeft = await givenBelow(store, [left], 'Part', { ownerReferences: [ownedBy(right)] });
      const underRight = await givenBelow(store, [right], 'Part', { ownerReferences: [ownedBy(left)] });
      await Promise.all([left, right, underLeft, underRight].map((row) => deleteRow(store, row)));
      for (const row of [left, right, underLeft, underRight]) {
        const found = await read(store, row);
        if (found !== null) expect(found.deletionTimestamp).toEqual(expect.any(String));
      }
    }
  });
}

/** Starts all calls concurrently, in reverse order in every second round; the outcomes are in the order of `calls`. */
async function inEitherOrder(
  round: number,
  calls: readonly (() => Promise<{ readonly outcome: string }>)[],
): Promise<readonly { readonly outcome: string }[]> {
  if (round % 2 === 0) return Promise.all(calls.map((call) => call()));
  return (await Promise.all([...calls].reverse().map((call) => call()))).reverse();
}

/** A DELETE of a definition. It deletes nothing while an instance is stored. */
function deleteUnused(
  store: StoreUnderTest,
  definition: Parameters<typeof byUid>[0],
): Promise<{ readonly outcome: string }> {
  const { group, kind } = JSON.parse(definition.spec);
  return store.transactions.run(async (transaction) => {
    await transaction.definitions.lockCatalog();
    const counts = await transaction.definitions.countInstances(definition.uid, { group, kind }, 100);
    if (counts.size > 0) return { outcome: 'inUse' };
    return deleteIn(transaction, byUid(definition));
  });
}
