import { cascadeFinalizer } from '@platform/resources';
import type { Blocker, LockedRow } from '../model/batch.ts';
import { planBatch } from './plan-batch.ts';

const outside: Blocker = { uid: 'outside', revision: 3, live: false };

function row(uid: string, changes: Partial<LockedRow> & { readonly parentUid?: string } = {}): LockedRow {
  const { parentUid = null, ...rest } = changes;
  return {
    identity: { apiVersion: 'example.dev/v1', kind: 'Widget', name: uid, uid, parentUid },
    revision: 1,
    tombstoned: false,
    protected: false,
    finalizers: [],
    owners: [],
    blocker: null,
    liveOutside: false,
    protectedOutside: null,
    tombstonedOwners: [],
    ...rest,
  };
}

const tombstone = (uid: string, changes: Parameters<typeof row>[1] = {}) =>
  row(uid, { tombstoned: true, ...changes });

const decisionOf = (rows: readonly LockedRow[], uid: string) =>
  planBatch(rows).results.find((result) => result.uid === uid)?.decision;

describe('the lifecycle table, row by row', () => {
  it('tombstoned and blocked: stays, and the cascade finalizer is ensured', () => {
    const plan = planBatch([tombstone('a', { blocker: outside })]);
    expect(plan).toMatchObject({
      remove: [],
      change: [{ uid: 'a', tombstone: false, cascadeFinalizer: 'ensure' }],
      results: [{ decision: 'block', revision: 2, blocker: outside }],
    });
  });

  it('tombstoned and blocked, with the cascade finalizer already there: no write', () => {
    const plan = planBatch([tombstone('a', { blocker: outside, finalizers: [cascadeFinalizer] })]);
    expect(plan).toMatchObject({ remove: [], change: [], results: [{ decision: 'block', revision: 1 }] });
  });

  it('tombstoned and blocked: its live dependents are tombstoned, structural and owned', () => {
    const plan = planBatch([
      tombstone('a', { blocker: outside }),
      row('child', { parentUid: 'a', finalizers: ['x/hold'] }),
      row('owned', { owners: [{ uid: 'a', blocking: false }], finalizers: ['x/hold'] }),
    ]);
    expect(plan.change).toContainEqual({ uid: 'child', tombstone: true, cascadeFinalizer: 'keep' });
    expect(plan.change).toContainEqual({ uid: 'owned', tombstone: true, cascadeFinalizer: 'keep' });
    expect(plan.cascades.map(({ relationship, blocking }) => [relationship, blocking])).toEqual([
      ['structuralChild', true],
      ['ownerReference', false],
    ]);
  });

  it('tombstoned, other finalizers remain: stays, and the cascade finalizer is dropped', () => {
    const plan = planBatch([tombstone('a', { finalizers: [cascadeFinalizer, 'x/hold'] })]);
    expect(plan).toMatchObject({
      remove: [],
      change: [{ uid: 'a', tombstone: false, cascadeFinalizer: 'drop' }],
      results: [{ decision: 'hold', revision: 2, blocker: null }],
    });
  });

  it('tombstoned, other finalizers remain: live non-blocking dependents are tombstoned', () => {
    const plan = planBatch([
      tombstone('a', { finalizers: ['x/hold'] }),
      row('owned', { owners: [{ uid: 'a', blocking: false }], finalizers: ['x/hold'] }),
    ]);
    expect(plan.change).toEqual([{ uid: 'owned', tombstone: true, cascadeFinalizer: 'keep' }]);
  });

  it('tombstoned and free: removed, whether or not the cascade finalizer is still there', () => {
    expect(planBatch([tombstone('a')]).remove).toEqual(['a']);
    expect(planBatch([tombstone('a', { finalizers: [cascadeFinalizer] })]).remove).toEqual(['a']);
  });

  it('live: no write', () => {
    const plan = planBatch([row('a'), row('b', { finalizers: [cascadeFinalizer] })]);
    expect(plan).toMatchObject({ remove: [], change: [], cascades: [] });
    expect(plan.results.map(({ decision }) => decision)).toEqual(['ignore', 'ignore']);
  });
});

describe('a batch', () => {
  it('removes a tree that it contains completely in one step and reports every dependent once', () => {
    const plan = planBatch([
      tombstone('root'),
      row('a', { parentUid: 'root' }),
      row('a1', { parentUid: 'a' }),
      row('b', { parentUid: 'root' }),
    ]);
    expect(new Set(plan.remove)).toEqual(new Set(['root', 'a', 'a1', 'b']));
    expect(plan.change).toEqual([]);
    expect(plan.cascades.map(({ owner, dependent }) => `${owner.uid}>${dependent.uid}`).sort()).toEqual([
      'a>a1',
      'root>a',
      'root>b',
    ]);
  });

  it('tombstones and blocks a row in one write when the cascade reaches it and it cannot be removed', () => {
    const plan = planBatch([
      tombstone('root'),
      row('a', { parentUid: 'root', revision: 7 }),
      row('a1', { parentUid: 'a', finalizers: ['x/hold'] }),
    ]);
    expect(plan.change).toContainEqual({ uid: 'a', tombstone: true, cascadeFinalizer: 'ensure' });
    expect(plan.results.find(({ uid }) => uid === 'a')).toMatchObject({ revision: 8, decision: 'block' });
  });

  it('never removes an owner while a live non-blocking dependent is outside the batch', () => {
    expect(decisionOf([tombstone('a', { liveOutside: true })], 'a')).toBe('postpone');
    expect(decisionOf([tombstone('a', { liveOutside: true, finalizers: ['x/hold'] })], 'a')).toBe('postpone');
  });

  it('does not cascade to a row whose reference to the tombstone is gone', () => {
    const plan = planBatch([tombstone('a', { finalizers: ['x/hold'] }), row('former')]);
    expect(plan.cascades).toEqual([]);
  });

  it('cascades to a live row from a tombstoned owner outside the batch', () => {
    const { identity } = row('owner');
    const plan = planBatch([
      row('a', { owners: [{ uid: 'owner', blocking: true }], tombstonedOwners: [identity] }),
    ]);
    expect(plan.remove).toEqual(['a']);
    expect(plan.cascades).toMatchObject([
      { owner: identity, relationship: 'ownerReference', blocking: true, revision: 2 },
    ]);
  });

  it('reports a dependent that is child and owned once, as structural', () => {
    const plan = planBatch([
      tombstone('a'),
      tombstone('b'),
      row('both', {
        parentUid: 'b',
        owners: [
          { uid: 'a', blocking: true },
          { uid: 'b', blocking: false },
        ],
      }),
    ]);
    expect(plan.cascades).toMatchObject([
      { owner: { uid: 'b' }, relationship: 'structuralChild', blocking: true },
    ]);
  });

  it('removes the top of a diamond only after both of its arms', () => {
    const rows = [
      tombstone('top'),
      row('left', { parentUid: 'top' }),
      row('right', { parentUid: 'top', finalizers: ['x/hold'] }),
      row('bottom', {
        owners: [
          { uid: 'left', blocking: true },
          { uid: 'right', blocking: true },
        ],
      }),
    ];
    const plan = planBatch(rows);
    expect(new Set(plan.remove)).toEqual(new Set(['bottom', 'left']));
    expect(plan.results.find(({ uid }) => uid === 'top')).toMatchObject({
      decision: 'block',
      blocker: { uid: 'right', revision: 2 },
    });
  });

  it('ends with a cycle of blocking references, made by hand: no row is removed', () => {
    const plan = planBatch([
      tombstone('a', { owners: [{ uid: 'b', blocking: true }] }),
      tombstone('b', { owners: [{ uid: 'a', blocking: true }] }),
    ]);
    expect(plan.remove).toEqual([]);
  });

  it.each([true, false])(
    'removes a chain of thousands without recursion, whose references block: %s',
    (blocking) => {
      const length = 20_000;
      const rows = Array.from({ length }, (_, index) =>
        index === 0 ? tombstone('0') : row(String(index), { owners: [{ uid: String(index - 1), blocking }] }),
      );
      const { remove } = planBatch(rows);
      expect(remove).toHaveLength(length);
      // Each after its dependents.
      expect(remove[0]).toBe(String(length - 1));
      expect(remove.at(-1)).toBe('0');
    },
  );
});
