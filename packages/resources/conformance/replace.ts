import {
  byUid,
  creation,
  given,
  givenBelow,
  givenDefinition,
  read,
  replacement,
  reread,
  testChange,
  versionOf,
} from './builders.ts';
import { tombstone } from './steps.ts';
import type { Suite } from './suite.ts';

/** `ResourceWriter.replace`, without owners. */
export function replace({ guarantee }: Suite): void {
  guarantee('a replacement writes the parts that a client controls, and nothing else', async (store) => {
    const widget = await given(store);
    const part = await givenBelow(store, [widget], 'Part', { spec: '{"a":1}' });
    await store.writer.replaceStatus({
      change: testChange,
      definition: null,
      ref: byUid(part),
      slot: 'c',
      value: '"seen"',
    });
    const stored = await reread(store, part);
    const changes = {
      apiVersion: 'example.dev/v2',
      metadata: '{"annotations":{"k":"v"}}',
      spec: '{"a":2}',
      finalizers: ['example.dev/x'],
      specChanged: true,
    };
    const outcome = await store.writer.replace(replacement(stored, changes));
    const { specChanged: _, ...written } = changes;
    const resource = { ...stored, ...written, revision: stored.revision + 1, generation: 2 };
    expect(outcome).toEqual({ outcome: 'replaced', resource });
    expect(await read(store, part)).toEqual(resource);
  });

  guarantee('a replacement grows generation only when the spec changed', async (store) => {
    const widget = await given(store, { spec: '{"a":1}' });
    const same = await store.writer.replace(replacement(widget, { spec: '{ "a": 1 }', specChanged: false }));
    expect(same).toMatchObject({ resource: { revision: 2, generation: 1, spec: '{ "a": 1 }' } });
  });

  guarantee('a replacement that changes nothing still increments the revision', async (store) => {
    const widget = await given(store);
    expect(await store.writer.replace(replacement(widget))).toEqual({
      outcome: 'replaced',
      resource: { ...widget, revision: 2 },
    });
  });

  guarantee('a replacement of another revision writes nothing and returns the current one', async (store) => {
    const widget = await given(store);
    const { outcome } = await store.writer.replace(replacement(widget, { spec: '{"a":1}' }));
    expect(outcome).toBe('replaced');
    const current = await reread(store, widget);
    for (const revision of [1, 3, 2 ** 40]) {
      const late = replacement(widget, { revision, spec: '{"late":true}' });
      expect(await store.writer.replace(late)).toEqual({ outcome: 'revisionMismatch', currentRevision: 2 });
    }
    expect(await read(store, widget)).toEqual(current);
  });

  guarantee('a replacement of a removed row is missing', async (store) => {
    const widget = await given(store);
    await store.removeRow(widget.uid);
    expect(await store.writer.replace(replacement(widget))).toEqual({ outcome: 'missing' });
    const { uid } = creation();
    expect(await store.writer.replace(replacement({ ...widget, uid }))).toEqual({ outcome: 'missing' });
  });

  guarantee('a tombstoned row can be replaced and stays tombstoned', async (store) => {
    const widget = await tombstone(store, await given(store, { finalizers: ['example.dev/hold'] }));
    const outcome = await store.writer.replace(replacement(widget, { finalizers: [] }));
    expect(outcome).toEqual({
      outcome: 'replaced',
      resource: { ...widget, finalizers: [], revision: widget.revision + 1 },
    });
  });

  guarantee('a tombstoned definition allows a replacement', async (store) => {
    const definition = await givenDefinition(store, { group: 'example.dev', kind: 'Widget' });
    const widget = await given(store);
    await tombstone(store, definition);
    const command = replacement(widget, { definition: await versionOf(store, definition) });
    expect(await store.writer.replace(command)).toMatchObject({ outcome: 'replaced' });
  });
}
