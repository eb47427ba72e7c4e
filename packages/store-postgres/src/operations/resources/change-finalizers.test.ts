import { waitingForLocks, whileHeld } from '@platform/development/testing';
import type { FinalizersCommand, Resource } from '@platform/resources';
import { byUid, given, reread, testChange } from '../../../test/rows.ts';
import { longLockTimeout, testStore } from '../../../test/store.ts';
import { changeFinalizersOfMany } from './change-finalizers.ts';

const fixture = testStore(longLockTimeout);

function command(row: Resource, changes: Partial<FinalizersCommand>): FinalizersCommand {
  return {
    change: testChange,
    definition: null,
    ref: byUid(row),
    add: [],
    remove: [],
    limit: 64,
    ...changes,
  };
}

const change = (row: Resource, changes: Partial<FinalizersCommand>) =>
  fixture.store.writer.changeFinalizers(command(row, changes));

describe('concurrent changes of finalizers', () => {
  it('of many rows are one statement, each with what is its own', async () => {
    const rows = await Promise.all(
      [['x/a', 'x/b'], [], ['x/c']].map((finalizers) => given(fixture.store, { finalizers })),
    );
    const [first, second, third] = rows as [Resource, Resource, Resource];
    const outcomes = await changeFinalizersOfMany(
      fixture.store.database,
      [
        command(first, { remove: ['x/a'] }),
        command(second, { add: ['x/d', 'x/e', 'x/d'] }),
        command(third, { add: ['x/"\\{},', 'x/c'], remove: ['x/none'] }),
      ],
      'skip',
    );
    const resources = [
      { ...first, revision: 2, finalizers: ['x/b'] },
      { ...second, revision: 2, finalizers: ['x/d', 'x/e'] },
      { ...third, revision: 2, finalizers: ['x/c', 'x/"\\{},'] },
    ];
    expect(outcomes).toEqual(resources.map((resource) => ({ outcome: 'written', changed: true, resource })));
    expect(await Promise.all(rows.map((row) => reread(fixture.store, row)))).toEqual(resources);
  });

  it('of one row all arrive, each once', async () => {
    const row = await given(fixture.store, { finalizers: ['x/old'] });
    const names = Array.from({ length: 8 }, (_, n) => `x/${n}`);
    await Promise.all([
      ...names.map((name) => change(row, { add: [name] })),
      change(row, { remove: ['x/old'] }),
    ]);
    const stored = await reread(fixture.store, row);
    expect([...(stored?.finalizers ?? [])].sort()).toEqual(names);
    expect(stored?.revision).toBe(10);
  });

  it('leave to each alone what is missing, changes nothing or would be too many', async () => {
    const [free, full] = await Promise.all([
      given(fixture.store),
      given(fixture.store, { finalizers: ['x/a', 'x/b'] }),
    ]);
    const outcomes = await Promise.all([
      change(free, { add: ['x/a'] }),
      change({ ...free, kind: 'Other' }, { add: ['x/a'] }),
      change(full, { add: ['x/a'], limit: 2 }),
      change(full, { add: ['x/c'], limit: 2 }),
      change(full, { add: ['x/d'], remove: ['x/b'], limit: 2 }),
    ]);
    expect(outcomes).toMatchObject([
      { changed: true },
      { outcome: 'missing' },
      { changed: false },
      { outcome: 'tooManyFinalizers' },
      { changed: true, resource: { finalizers: ['x/a', 'x/d'] } },
    ]);
  });

  it('do not wait for one whose row is locked, and it builds on what was committed meanwhile', async () => {
    const [locked, free] = await Promise.all([
      given(fixture.store, { finalizers: ['x/a'] }),
      given(fixture.store),
    ]);
    const statement = `update resources set revision = revision + 1, finalizers = '{x/a,x/theirs}' where uid = '${locked.uid}'`;
    await whileHeld(fixture.database, [statement], async ({ release }) => {
      const stuck = change(locked, { add: ['x/ours'], remove: ['x/a'] });
      expect(await change(free, { add: ['x/a'] })).toMatchObject({ changed: true });
      await waitingForLocks(fixture.database, 1);
      await release();
      expect(await stuck).toMatchObject({ changed: true });
    });
    expect(await reread(fixture.store, locked)).toMatchObject({
      revision: 3,
      finalizers: ['x/theirs', 'x/ours'],
    });
  });
});
