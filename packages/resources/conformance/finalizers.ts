import { cascadeFinalizer } from '../src/model/names.ts';
import type { Resource } from '../src/model/resource.ts';
import type { FinalizersCommand, SubresourceOutcome } from '../src/ports/resource-writer.ts';
import { byPath, byUid, given, givenBelow, reread, testChange } from './builders.ts';
import { tombstone, upTo } from './steps.ts';
import type { StoreUnderTest, Suite } from './suite.ts';

/** `ResourceWriter.changeFinalizers`. */
export function finalizers({ guarantee }: Suite): void {
  guarantee(
    'finalizers are removed and appended, and the revision grows but not the generation',
    async (store) => {
      const widget = await given(store, { finalizers: ['x/a', 'x/b', 'x/c'] });
      const outcome = await change(store, widget, { add: ['x/e', 'x/d'], remove: ['x/b'] });
      const resource = { ...widget, revision: 2, finalizers: ['x/a', 'x/c', 'x/e', 'x/d'] };
      expect(outcome).toEqual({ outcome: 'written', changed: true, resource });
      expect(await reread(store, widget)).toEqual(resource);
    },
  );

  guarantee('adding a present finalizer and removing an absent one changes nothing', async (store) => {
    const widget = await given(store, { finalizers: ['x/a', 'x/b'] });
    for (const wish of [
      { add: ['x/b', 'x/a'] },
      { remove: ['x/z'] },
      { add: ['x/a'], remove: ['x/z'] },
      {},
    ]) {
      expect(await change(store, widget, wish)).toEqual({
        outcome: 'written',
        changed: false,
        resource: widget,
      });
    }
    expect(await reread(store, widget)).toEqual(widget);
  });

  guarantee('a finalizer that is added twice is stored once', async (store) => {
    const widget = await given(store);
    await change(store, widget, { add: ['x/a', 'x/b', 'x/a'], remove: ['x/c', 'x/c'] });
    expect((await reread(store, widget)).finalizers).toEqual(['x/a', 'x/b']);
  });

  guarantee('a row has at most the limit of finalizers, counted after the removals', async (store) => {
    const names = upTo(4).map((index) => `x/${index}`);
    const widget = await given(store, { finalizers: names });
    const tooMany = await change(store, widget, { add: ['x/new'] }, 4);
    expect(tooMany).toEqual({ outcome: 'tooManyFinalizers' });
    expect(await reread(store, widget)).toEqual(widget);
    const swapped = await change(store, widget, { add: ['x/new'], remove: ['x/0'] }, 4);
    expect(swapped).toMatchObject({
      changed: true,
      resource: { finalizers: ['x/1', 'x/2', 'x/3', 'x/new'] },
    });
    expect(await change(store, widget, { add: ['x/last'] }, 5)).toMatchObject({ changed: true });
  });

  guarantee('the finalizer of the cascade does not count towards the limit', async (store) => {
    const widget = await given(store, { finalizers: ['x/a', 'x/b', cascadeFinalizer] });
    expect(await change(store, widget, { add: ['x/c'], remove: ['x/a'] }, 2)).toMatchObject({
      changed: true,
    });
    expect(await change(store, widget, { add: ['x/d'] }, 2)).toEqual({ outcome: 'tooManyFinalizers' });
  });

  guarantee('a change that adds nothing is never refused as too many', async (store) => {
    const widget = await given(store, { finalizers: ['x/a', 'x/b', 'x/c'] });
    expect(await change(store, widget, { add: ['x/a'] }, 1)).toMatchObject({ changed: false });
    expect(await change(store, widget, { remove: ['x/a'] }, 1)).toMatchObject({ changed: true });
  });

  guarantee('removing the last finalizer of a tombstone leaves the row to the collector', async (store) => {
    const widget = await tombstone(store, await given(store, { finalizers: ['x/a'] }));
    await change(store, widget, { remove: ['x/a'] });
    expect(await reread(store, widget)).toEqual({ ...widget, finalizers: [], revision: widget.revision + 1 });
  });

  guarantee('finalizers are compared by their bytes', async (store) => {
    const widget = await given(store);
    const names = ['x/é', 'x/e\u0301', 'X/a', 'x/a', 'x/\'"\\{},', 'NULL'];
    await change(store, widget, { add: names });
    expect((await reread(store, widget)).finalizers).toEqual(names);
    await change(store, widget, { remove: ['X/a', 'x/é', 'NULL'] });
    expect((await reread(store, widget)).finalizers).toEqual(['x/e\u0301', 'x/a', 'x/\'"\\{},']);
  });

  guarantee('finalizers are changed by path, by UID and as an unregistered kind', async (store) => {
    const widget = await given(store);
    const part = await givenBelow(store, [widget], 'Part');
    const unregistered = { by: 'unregistered', uid: part.uid, apiVersion: 'example.dev/v1' } as const;
    const refs = [byPath(widget, part), byUid(part), unregistered];
    for (const [index, ref] of refs.entries()) {
      const command = {
        change: testChange,
        definition: null,
        ref,
        add: [`x/${index}`],
        remove: [],
        limit: 64,
      };
      expect(await store.writer.changeFinalizers(command)).toMatchObject({ changed: true });
    }
    expect((await reread(store, part)).finalizers).toEqual(['x/0', 'x/1', 'x/2']);
  });

  guarantee('a change of finalizers of an item that does not exist is missing', async (store) => {
    const widget = await given(store);
    for (const ref of [
      byPath({ ...widget, name: 'absent' }),
      { ...byUid(widget), kind: 'Part' },
      { by: 'unregistered', uid: widget.uid, apiVersion: 'example.dev/v2' } as const,
    ]) {
      const command = { change: testChange, definition: null, ref, add: ['x/a'], remove: [], limit: 64 };
      expect(await store.writer.changeFinalizers(command)).toEqual({ outcome: 'missing' });
    }
    expect(await reread(store, widget)).toEqual(widget);
  });
}

function change(
  store: StoreUnderTest,
  resource: Resource,
  wish: Partial<Pick<FinalizersCommand, 'add' | 'remove'>>,
  limit = 64,
): Promise<SubresourceOutcome> {
  return store.writer.changeFinalizers({
    change: testChange,
    definition: null,
    ref: byUid(resource),
    add: [],
    remove: [],
    ...wish,
    limit,
  });
}
