import type { Resource } from '../src/model/resource.ts';
import { maxStatusBytes, type SubresourceOutcome } from '../src/ports/resource-writer.ts';
import { byPath, byUid, given, givenBelow, reread, testChange } from './builders.ts';
import { tombstone } from './steps.ts';
import type { StoreUnderTest, Suite } from './suite.ts';

/** `ResourceWriter.replaceStatus`. */
export function status({ guarantee }: Suite): void {
  guarantee(
    'a slot is written under controllers and increments the revision but not the generation',
    async (store) => {
      const widget = await given(store);
      const outcome = await write(store, widget, 'ctrl.example.dev', '{"ready":true}');
      expect(outcome).toEqual({ outcome: 'written', changed: true, resource: expect.anything() });
      const stored = await reread(store, widget);
      expect(outcome).toMatchObject({ resource: stored });
      expect(stored).toEqual({ ...widget, revision: 2, status: stored.status });
      expect(JSON.parse(stored.status)).toEqual({ controllers: { 'ctrl.example.dev': { ready: true } } });
    },
  );

  guarantee('several writers have separate slots', async (store) => {
    const widget = await given(store);
    await write(store, widget, 'a', '1');
    await write(store, widget, 'operator:me@example.dev', '2');
    await write(store, widget, 'a', '3');
    const stored = await reread(store, widget);
    expect(JSON.parse(stored.status)).toEqual({ controllers: { a: 3, 'operator:me@example.dev': 2 } });
    expect(stored.revision).toBe(4);
  });

  guarantee('metadata is stored with a slot, and stays without', async (store) => {
    const widget = await given(store);
    const metadata = '{"annotations":{"a": "b"},"managedFields":[{"manager":"m","n":1.10}]}';
    const slot = { slot: 'a', value: '1', metadata };
    const outcome = await store.transactions.run(({ writer }) =>
      writer.replaceStatus({ change: testChange, definition: null, ref: byUid(widget), ...slot }),
    );
    expect(outcome).toMatchObject({ changed: true, resource: { metadata, revision: 2 } });
    await write(store, widget, 'a', '2');
    const stored = await reread(store, widget);
    expect(stored).toMatchObject({ metadata, status: '{"controllers":{"a":2}}', revision: 3 });
  });

  guarantee(
    'a slot keeps every byte of its value while other slots are written and cleared',
    async (store) => {
      const widget = await given(store);
      const value =
        '{ "n": 1.10, "big": 9007199254740993, "huge": 1e400, "__proto__": [1,  2], "a": 1, "a": "\\u0041,}]{" }';
      await write(store, widget, 'keeper', value);
      await write(store, widget, 'other', '[",\\"}{"]');
      await write(store, widget, 'other', '"again"');
      await write(store, widget, 'other', null);
      expect((await reread(store, widget)).status).toContain(value);
    },
  );

  guarantee('any JSON value can be stored, including null', async (store) => {
    const widget = await given(store);
    for (const value of ['null', 'true', '-0.0', '""', '[]', '{}', '"\\u00e9 é 🎉"']) {
      const outcome = await write(store, widget, 'slot', value);
      expect(outcome).toMatchObject({ changed: true });
      expect((await reread(store, widget)).status).toContain(`:${value}`);
      expect(JSON.parse((await reread(store, widget)).status)).toEqual({
        controllers: { slot: JSON.parse(value) },
      });
    }
  });

  guarantee('a slot may have any name', async (store) => {
    const widget = await given(store);
    const names = [
      '__proto__',
      'constructor',
      'a"b\\c',
      'operator:é@example.dev',
      '',
      'controllers',
      '{"a":1}',
    ];
    for (const name of names) await write(store, widget, name, '1');
    for (const name of names) await write(store, widget, name, '2');
    const text = (await reread(store, widget)).status;
    expect(Object.entries(JSON.parse(text).controllers).sort()).toEqual(
      names.map((name) => [name, 2]).sort(),
    );
  });

  guarantee('clearing a slot removes it and leaves the others', async (store) => {
    const widget = await given(store);
    await write(store, widget, 'a', '1');
    await write(store, widget, 'b', '2');
    const cleared = await write(store, widget, 'a', null);
    expect(cleared).toMatchObject({ changed: true, resource: { revision: 4 } });
    expect(JSON.parse((await reread(store, widget)).status)).toEqual({ controllers: { b: 2 } });
    await write(store, widget, 'b', null);
    expect((await reread(store, widget)).status).toBe('{"controllers":{}}');
  });

  guarantee('clearing an absent slot changes nothing', async (store) => {
    const widget = await given(store);
    await write(store, widget, 'a', '1');
    const stored = await reread(store, widget);
    for (const absent of ['b', 'A', '']) {
      const outcome = await write(store, widget, absent, null);
      expect(outcome).toEqual({ outcome: 'written', resource: stored, changed: false });
    }
    expect(await reread(store, widget)).toEqual(stored);
  });

  guarantee('writing the stored value again is a change', async (store) => {
    const widget = await given(store);
    await write(store, widget, 'a', '1');
    expect(await write(store, widget, 'a', '1')).toMatchObject({ changed: true, resource: { revision: 3 } });
  });

  guarantee(
    'status is written by path, by UID and as an unregistered kind, live or tombstoned',
    async (store) => {
      const widget = await given(store);
      const part = await givenBelow(store, [widget], 'Part');
      const unregistered = { by: 'unregistered', uid: part.uid, apiVersion: 'example.dev/v1' } as const;
      await tombstone(store, part);
      for (const ref of [byPath(widget, part), byUid(part), unregistered]) {
        const outcome = await store.writer.replaceStatus({
          change: testChange,
          definition: null,
          ref,
          slot: 'a',
          value: '1',
        });
        expect(outcome).toMatchObject({ changed: true, resource: { uid: part.uid } });
      }
      expect((await reread(store, part)).deletionTimestamp).not.toBeNull();
    },
  );

  guarantee('a status that would become too large is not written, alone or with others', async (store) => {
    const widget = await given(store);
    // `{"controllers":{"a":"...","b":1}}`
    const fitting = `"${'x'.repeat(maxStatusBytes - '{"controllers":{"a":"","b":1}}'.length)}"`;
    expect(await write(store, widget, 'a', fitting)).toMatchObject({ changed: true });
    expect(await write(store, widget, 'b', '1')).toMatchObject({ changed: true });
    const before = await reread(store, widget);
    expect(before.status).toHaveLength(maxStatusBytes);
    const other = await given(store);
    const outcomes = [
      write(store, widget, 'b', '12'),
      write(store, widget, 'c', '1'),
      write(store, other, 'c', '1'),
    ];
    expect(await Promise.all(outcomes)).toMatchObject([
      { outcome: 'statusTooLarge' },
      { outcome: 'statusTooLarge' },
      { changed: true },
    ]);
    expect(await reread(store, widget)).toEqual(before);
    expect(await write(store, widget, 'a', '1')).toMatchObject({ changed: true });
    expect(await write(store, widget, 'c', '1')).toMatchObject({ changed: true });
  });

  guarantee('a status of an item that does not exist is missing', async (store) => {
    const widget = await given(store);
    for (const ref of [
      byPath({ ...widget, name: 'absent' }),
      { ...byUid(widget), kind: 'Part' },
      { by: 'unregistered', uid: widget.uid, apiVersion: 'example.dev/v2' } as const,
    ]) {
      const outcome = await store.writer.replaceStatus({
        change: testChange,
        definition: null,
        ref,
        slot: 'a',
        value: '1',
      });
      expect(outcome).toEqual({ outcome: 'missing' });
    }
    expect(await reread(store, widget)).toEqual(widget);
  });
}

function write(
  store: StoreUnderTest,
  resource: Resource,
  slot: string,
  value: string | null,
): Promise<SubresourceOutcome> {
  return store.writer.replaceStatus({
    change: testChange,
    definition: null,
    ref: byUid(resource),
    slot,
    value,
  });
}
