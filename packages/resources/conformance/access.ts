import type { Resource } from '../src/model/resource.ts';
import { creation, given, givenBelow, givenOrganization, ownedBy, replacement } from './builders.ts';
import { deleteRow, tombstone } from './steps.ts';
import type { StoreUnderTest, Suite } from './suite.ts';

const platformKind = (kind: string, name: string, spec: object) => ({
  collection: { group: 'platform.dev', kind, ancestors: [] },
  apiVersion: 'platform.dev/v1alpha1',
  name,
  spec: JSON.stringify(spec),
});
const rules = [{ apiGroups: ['*'], resources: ['*'], verbs: ['get'] }];
const role = (name: string) => platformKind('Role', name, { rules });
const binding = (name: string, scope?: Resource) =>
  platformKind('RoleBinding', name, {
    roleRef: { name: 'reader' },
    subjects: [{ kind: 'User', name: 'ada@example.dev' }],
    ...(scope === undefined ? {} : { scope: ownedBy(scope) }),
  });

/** `AccessSource` and `AccessFacts`. */
export function accessFacts({ guarantee }: Suite): void {
  guarantee('roles and bindings have a new version after every create, edit and removal', async (store) => {
    const seen: string[] = [];
    const look = async () => void seen.push(await store.access.version());
    await look();
    for (const wanted of [role('reader'), binding('readers')]) {
      const row = await given(store, wanted);
      await look();
      await store.writer.replace(replacement(row, { spec: '{"rules":[]}' }));
      await look();
      await deleteRow(store, row);
      await look();
    }
    expect(new Set(seen).size).toBe(7);
  });

  guarantee('roles and bindings keep their version when other rows are written', async (store) => {
    const row = await given(store, role('reader'));
    const before = await store.access.version();
    await given(store);
    await store.writer.replace(replacement(row, { metadata: '{"annotations":{"a":"b"}}' }));
    await tombstone(store, await givenOrganization(store, 'acme'));
    expect(await store.access.version()).toBe(before);
    expect(await inside(store, ({ access }) => access.version())).toBe(before);
  });

  guarantee('roles and bindings are loaded with their version', async (store) => {
    const acme = await givenOrganization(store, 'acme');
    await given(store, role('reader'));
    await given(store, binding('readers', acme));
    const loaded = await store.access.load();
    expect(loaded.version).toBe(await store.access.version());
    expect(loaded.roles).toEqual([{ name: 'reader', rules }]);
    expect(loaded.bindings).toEqual([
      {
        name: 'readers',
        role: 'reader',
        subjects: [{ kind: 'User', name: 'ada@example.dev' }],
        scope: acme.uid,
      },
    ]);
  });

  guarantee('roles and bindings that are being deleted are not loaded', async (store) => {
    for (const wanted of [role('reader'), binding('readers')]) {
      const before = await store.access.version();
      const row = await given(store, { ...wanted, finalizers: ['example.dev/keep'] });
      await tombstone(store, row);
      expect(await store.access.version()).not.toBe(before);
    }
    const { roles, bindings, version } = await store.access.load();
    expect([roles, bindings, version]).toEqual([[], [], await store.access.version()]);
  });

  guarantee('a binding grants nothing from the deletion of its owner on', async (store) => {
    const owner = await given(store);
    const finalizers = ['example.dev/keep'];
    await given(store, { ...binding('readers'), finalizers, ownerReferences: [ownedBy(owner)] });
    const before = await store.access.version();
    await deleteRow(store, owner);
    expect((await store.access.load()).bindings).toEqual([]);
    expect(await store.access.version()).not.toBe(before);
  });

  guarantee('a lineage has everything that the row is below', async (store) => {
    const widget = await given(store);
    const part = await givenBelow(store, [widget], 'Part');
    const screw = await givenBelow(store, [widget, part], 'Screw');
    const lineage = (row: Resource) => inside(store, ({ access }) => access.lineage(row.uid));
    expect(await lineage(screw)).toMatchObject({
      identity: { kind: 'Screw', uid: screw.uid },
      terminating: false,
    });
    expect(new Set((await lineage(screw))?.within)).toEqual(new Set([widget.uid, part.uid]));
    expect((await lineage(widget))?.within).toEqual([]);
    expect((await lineage(await tombstone(store, widget)))?.terminating).toBe(true);
    expect(await lineage({ ...widget, uid: creation().uid })).toBeNull();
  });

  guarantee('a RoleBinding is within its scope and everything above that', async (store) => {
    const widget = await given(store);
    const part = await givenBelow(store, [widget], 'Part');
    const scoped = await given(store, binding('scoped', part));
    const lineage = () => inside(store, ({ access }) => access.lineage(scoped.uid));
    expect(new Set((await lineage())?.within)).toEqual(new Set([widget.uid, part.uid]));
    await store.writer.replace(replacement(scoped, { spec: binding('scoped', widget).spec }));
    expect((await lineage())?.within).toEqual([widget.uid]);
  });

  guarantee('a role is found by its name', async (store) => {
    await given(store, role('reader'));
    const find = (name: string) => inside(store, ({ access }) => access.role(name));
    expect(await find('reader')).toEqual({ name: 'reader', rules });
    expect(await find('writer')).toBeNull();
  });
}

function inside<T>(
  store: StoreUnderTest,
  work: Parameters<StoreUnderTest['transactions']['run']>[0] extends (transaction: infer Tx) => unknown
    ? (transaction: Tx) => Promise<T>
    : never,
): Promise<T> {
  return store.transactions.run(work);
}
