import { byPath, byUid, given, givenBelow, givenDefinition, givenOrganization } from './builders.ts';
import { tombstone } from './steps.ts';
import type { Suite } from './suite.ts';

const nothing = { outcome: 'read', resource: null };

/** `ResourceReader.get`. */
export function get({ guarantee }: Suite): void {
  guarantee('an item is found by its path at every depth', async (store) => {
    const widget = await given(store);
    const part = await givenBelow(store, [widget], 'Part');
    const screw = await givenBelow(store, [widget, part], 'Screw');
    expect(await store.reader.get(byPath(widget), null)).toMatchObject({ outcome: 'read', resource: widget });
    expect(await store.reader.get(byPath(widget, part), null)).toMatchObject({
      outcome: 'read',
      resource: part,
    });
    expect(await store.reader.get(byPath(widget, part, screw), null)).toMatchObject({
      outcome: 'read',
      resource: screw,
    });
  });

  guarantee('an item below 32 ancestors is found by its path', async (store) => {
    const rows = [await given(store, { name: 'level' })];
    for (let depth = 1; depth <= 32; depth += 1) {
      rows.push(await givenBelow(store, rows, `Level${depth}`, { name: 'level' }));
    }
    expect(await store.reader.get(byPath(...rows), null)).toMatchObject({
      outcome: 'read',
      resource: rows.at(-1),
    });
  });

  guarantee('a missing or mismatched step of a path finds nothing', async (store) => {
    const widget = await given(store);
    const other = await given(store);
    const part = await givenBelow(store, [widget], 'Part');
    for (const path of [
      byPath({ ...widget, name: 'absent' }),
      byPath({ ...widget, kind: 'Part' }),
      byPath({ ...widget, apiVersion: 'other.dev/v1' }),
      byPath(part),
      byPath(other, part),
      byPath({ ...widget, name: 'absent' }, part),
      byPath(widget, { ...part, name: 'absent' }),
    ]) {
      expect(await store.reader.get(path, null)).toMatchObject(nothing);
    }
  });

  guarantee('a path finds a row at any stored version of its group', async (store) => {
    const widget = await given(store, { apiVersion: 'example.dev/v7' });
    expect(await store.reader.get(byPath({ ...widget, apiVersion: 'example.dev/v1' }), null)).toMatchObject({
      outcome: 'read',
      resource: widget,
    });
  });

  guarantee('a UID finds a row of its group and kind only, at any depth and version', async (store) => {
    const widget = await given(store);
    const part = await givenBelow(store, [widget], 'Part', { apiVersion: 'example.dev/v7' });
    expect(await store.reader.get(byUid(part), null)).toMatchObject({ outcome: 'read', resource: part });
    expect(await store.reader.get({ ...byUid(part), kind: 'Widget' }, null)).toMatchObject(nothing);
    expect(await store.reader.get({ ...byUid(part), group: 'other.dev' }, null)).toMatchObject(nothing);
    expect(
      await store.reader.get({ ...byUid(part), uid: '018f0000-0000-7000-8000-000000000000' }, null),
    ).toMatchObject(nothing);
  });

  guarantee(
    'a row of an unregistered kind is found by UID at exactly its stored apiVersion',
    async (store) => {
      const widget = await given(store);
      const part = await givenBelow(store, [widget], 'Part');
      const unregistered = { by: 'unregistered', uid: part.uid, apiVersion: 'example.dev/v1' } as const;
      expect(await store.reader.get(unregistered, null)).toMatchObject({ outcome: 'read', resource: part });
      for (const apiVersion of ['example.dev/v2', 'other.dev/v1', 'example.dev']) {
        expect(await store.reader.get({ ...unregistered, apiVersion }, null)).toMatchObject(nothing);
      }
    },
  );

  guarantee('a row of a registered or built-in kind is not found as unregistered', async (store) => {
    const part = await givenBelow(store, [await given(store)], 'Part');
    const organization = await givenOrganization(store, 'acme');
    const unregistered = { by: 'unregistered', uid: part.uid, apiVersion: 'example.dev/v1' } as const;
    const definition = await givenDefinition(store, { group: 'example.dev', kind: 'Part' });
    const { uid, apiVersion } = organization;
    expect(await store.reader.get(unregistered, null)).toMatchObject(nothing);
    expect(await store.reader.get({ by: 'unregistered', uid, apiVersion }, null)).toMatchObject(nothing);
    await store.removeRow(definition.uid);
    await givenDefinition(store, { group: 'other.dev', kind: 'Part' });
    expect(await store.reader.get(unregistered, null)).toMatchObject({ outcome: 'read', resource: part });
  });

  guarantee('a tombstoned row and the rows below it stay visible', async (store) => {
    const widget = await given(store);
    const part = await givenBelow(store, [widget], 'Part');
    const marked = await tombstone(store, widget);
    expect(marked.deletionTimestamp).not.toBeNull();
    expect(await store.reader.get(byPath(widget), null)).toMatchObject({ outcome: 'read', resource: marked });
    expect(await store.reader.get(byUid(widget), null)).toMatchObject({ outcome: 'read', resource: marked });
    expect(await store.reader.get(byPath(widget, part), null)).toMatchObject({
      outcome: 'read',
      resource: part,
    });
  });

  guarantee('concurrent reads each get their own row', async (store) => {
    const first = await given(store);
    const rows = [first, await given(store), await given(store)];
    const absent = byPath({ ...first, name: 'absent' });
    const refs = [...rows.map((row) => byPath(row)), absent, ...rows.map(byUid), absent];
    const outcomes = await Promise.all(refs.map((ref) => store.reader.get(ref, null)));
    expect(outcomes.map((outcome) => (outcome.outcome === 'read' ? outcome.resource : outcome))).toEqual([
      ...rows,
      null,
      ...rows,
      null,
    ]);
  });
}
