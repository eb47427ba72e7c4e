import type { AccessGuard, GuardEntry } from '../src/model/access-guard.ts';
import type { Resource } from '../src/model/resource.ts';
import { byPath, byUid, collection, creation, given, givenBelow, givenOrganization } from './builders.ts';
import { outcomeOf } from './steps.ts';
import type { StoreUnderTest, Suite } from './suite.ts';

const everything: GuardEntry = { scope: null, name: null };
const inside = (row: Resource): GuardEntry => ({ scope: row.uid, name: null });

/** Statements find the rows that the guard of a reference admits, and no others. */
export function accessGuards({ guarantee }: Suite): void {
  guarantee('a guard admits its scope and what is below it, and a stale one nothing', async (store) => {
    const { part, other, widget } = await tree(store);
    const cases = [
      [await guard(store, everything), true, true],
      [await guard(store, inside(widget)), true, false],
      [await guard(store, inside(part)), true, false],
      [await guard(store, inside(other)), false, true],
      [await guard(store, { scope: widget.uid, name: part.name }), true, false],
      [await guard(store, { scope: null, name: other.name }), false, true],
      [await guard(store), false, false],
      [{ ...(await guard(store, everything)), version: creation().uid }, false, false],
    ] as const;
    for (const [access, seesPart, seesOther] of cases) {
      for (const ref of [byPath(widget, part), byUid(part)]) {
        expect(await finds(store, { ...ref, access })).toEqual(Array(5).fill(seesPart));
      }
      expect(await finds(store, { ...byUid(other), access })).toEqual(Array(5).fill(seesOther));
    }
  });

  guarantee('a guard admits the rows of a collection as a whole', async (store) => {
    const { widget, other } = await tree(store);
    const parts = collection('Part', widget);
    for (const [entry, expected] of [
      [everything, 'page'],
      [inside(widget), 'page'],
      [inside(other), 'ancestorMissing'],
      [{ scope: widget.uid, name: 'x' }, 'ancestorMissing'],
    ] as const) {
      const access = await guard(store, entry);
      const list = store.reader.list({ ...parts, access }, { limit: 10, after: null }, null);
      expect((await list).outcome).toBe(expected);
      const create = store.writer.create(creation({ collection: { ...parts, access } }));
      expect(await outcomeOf(create)).toBe(expected === 'page' ? 'created' : expected);
    }
  });

  guarantee(
    'a guard admits a selection, or a part of one across parents, and a stale one nothing',
    async (store) => {
      const { widget, part, other } = await tree(store);
      const below = collection('Part', widget);
      const across = { ...below, ancestors: below.ancestors.map((step) => ({ ...step, name: '-' })) };
      const root = collection('Widget');
      const stale = { ...(await guard(store, everything)), version: creation().uid };
      const nowhere = { scope: creation().uid, name: null };
      for (const [where, access, expected] of [
        [below, await guard(store, everything), 'page'],
        [below, await guard(store, inside(widget)), 'page'],
        [below, await guard(store, inside(part)), 'ancestorMissing'],
        [below, await guard(store, inside(other)), 'ancestorMissing'],
        [below, stale, 'ancestorMissing'],
        [across, await guard(store, everything), 'page'],
        [across, await guard(store, inside(part)), 'page'],
        [across, await guard(store, nowhere), 'ancestorMissing'],
        [across, await guard(store), 'ancestorMissing'],
        [across, stale, 'ancestorMissing'],
        [root, await guard(store, inside(widget)), 'page'],
        [root, await guard(store, nowhere), 'ancestorMissing'],
        [root, stale, 'ancestorMissing'],
      ] as const) {
        const selection = { collection: where, labels: [], fields: [], scopes: null, guard: access };
        const page = await store.reader.select(selection, { limit: 10, after: null }, null);
        expect(page.outcome).toBe(expected);
      }
    },
  );

  guarantee('a guard admits single rows of a root collection, in pages', async (store) => {
    const rows = [await given(store), await given(store), await given(store)];
    const [first, , last] = rows as [Resource, Resource, Resource];
    const names = async (entries: readonly GuardEntry[], limit: number) => {
      const where = { ...collection('Widget'), access: await guard(store, ...entries) };
      const page = await store.reader.list(where, { limit, after: null }, null);
      return page.outcome === 'page' ? [page.items.map(({ name }) => name), page.more] : page.outcome;
    };
    expect(await names([inside(first), inside(last)], 10)).toEqual([[first.name, last.name], false]);
    expect(await names([inside(first), inside(last)], 1)).toEqual([[first.name], true]);
    expect(await names([everything], 10)).toEqual([rows.map(({ name }) => name), false]);
    expect(await names([{ scope: creation().uid, name: null }], 10)).toBe('ancestorMissing');
    const stale = { ...(await guard(store, everything)), version: creation().uid };
    const list = store.reader.list(
      { ...collection('Widget'), access: stale },
      { limit: 9, after: null },
      null,
    );
    expect((await list).outcome).toBe('ancestorMissing');
  });

  guarantee('a guard admits bindings by their scope', async (store) => {
    const acme = await givenOrganization(store, 'acme');
    const bindings = { group: 'platform.dev', kind: 'RoleBinding', ancestors: [] };
    const { apiVersion, kind, name, uid } = acme;
    const bound = await given(store, {
      collection: bindings,
      apiVersion: 'platform.dev/v1alpha1',
      spec: JSON.stringify({ roleRef: { name: 'r' }, scope: { apiVersion, kind, name, uid } }),
    });
    const access = await guard(store, inside(acme));
    expect(await finds(store, { ...byUid(bound), access })).toEqual(Array(5).fill(true));
    const page = await store.reader.list({ ...bindings, access }, { limit: 10, after: null }, null);
    expect(page.outcome === 'page' && page.items.map(({ name }) => name)).toEqual([bound.name]);
  });

  guarantee('what exists on the way to a target is found whatever the guard', async (store) => {
    const { widget, part } = await tree(store);
    const access = await guard(store);
    const version = await store.access.version();
    const item = { uid: part.uid, group: 'example.dev', kind: 'Part', name: part.name, within: [widget.uid] };
    for (const ref of [byPath(widget, part), byUid(part)]) {
      const reach = await store.reader.reach({ ...ref, access });
      expect(reach).toMatchObject({ version, uids: [widget.uid, part.uid], item });
    }
    const missing = byPath(widget, { ...part, name: 'nowhere' });
    expect(await store.reader.reach(missing)).toEqual({ version, uids: [widget.uid], item: null });
    expect(await store.reader.reach(collection('Part', widget))).toEqual({
      version,
      uids: [widget.uid],
      item: null,
    });
    expect(await store.reader.reach({ ...byUid(part), kind: 'Widget' })).toEqual({
      version,
      uids: [],
      item: null,
    });
    expect(await store.reader.places([part.uid, creation().uid])).toEqual([{ ...item, plural: null }]);
  });
}

/** A Widget with a Part, and another Widget. */
async function tree(store: StoreUnderTest) {
  const widget = await given(store);
  return { widget, part: await givenBelow(store, [widget], 'Part'), other: await given(store) };
}

async function guard(store: StoreUnderTest, ...entries: readonly GuardEntry[]): Promise<AccessGuard> {
  return { version: await store.access.version(), entries };
}

/** Whether a read, a report, a status write, a change of finalizers and a deletion find the row. */
async function finds(store: StoreUnderTest, ref: ReturnType<typeof byUid> | ReturnType<typeof byPath>) {
  const { change } = creation();
  const { resource } = await store.reader.get(ref, null);
  const { outcome: report } = await store.reader.blockers(ref, 10, null);
  const status = await store.writer.replaceStatus({ change, definition: null, ref, slot: 'a', value: '1' });
  const finalizers = { change, definition: null, ref, add: ['a.dev/x'], remove: ['a.dev/x'], limit: 9 };
  const { outcome: changed } = await store.writer.changeFinalizers({ ...finalizers, add: [] });
  const { outcome: locked } = await store.transactions.run(({ deletion }) => deletion.lock(ref, null));
  return [
    resource !== null,
    ...[report, status.outcome, changed, locked].map((outcome) => outcome !== 'missing'),
  ];
}
