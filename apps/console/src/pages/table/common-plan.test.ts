import type { DeletionPlan } from '../../api/resource.ts';
import type { Row } from '../../live/row.ts';
import { commonPlan } from './common-plan.ts';

const row = (uid: string) => ({ uid, name: uid }) as unknown as Row;
const identity = (uid: string) => ({ uid, name: uid, kind: 'Tractor', apiVersion: 'a/v1', parentUid: null });
const plan = (hash: string, ...along: string[]) =>
  ({
    hash,
    counts: {},
    protected: [],
    resources: along.map((uid) => ({ identity: identity(uid), effect: 'removed', heldBy: [] })),
  }) as unknown as DeletionPlan;

describe('the plan of several deletions', () => {
  it('counts once what else is deleted, and leaves out what is selected itself', () => {
    const { plan: common, roots } = commonPlan([
      [row('a'), plan('1', 'b', 'x')],
      [row('b'), plan('2', 'x')],
      [row('c'), plan('3', 'y')],
    ]);
    expect(common.counts).toEqual({ Tractor: 2 });
    expect(common.resources.map((one) => one.identity.uid)).toEqual(['x', 'y']);
    expect(roots.map(({ row: { uid }, hash }) => [uid, hash])).toEqual([
      ['a', '1'],
      ['c', '3'],
    ]);
  });
});
