import { isConditionTrue, withCondition } from './conditions.ts';

const ready = { type: 'Ready', status: 'True', reason: 'Built' } as const;
const noon = new Date('2026-01-01T12:00:00Z');
const later = new Date('2026-01-01T13:00:00Z');

describe('a condition', () => {
  it('keeps its transition time while its status stays, so that nothing new is written', () => {
    const first = withCondition(undefined, ready, noon);
    expect(withCondition(first, ready, later)).toEqual(first);
    const changed = withCondition(first, { ...ready, reason: 'Rebuilt' }, later);
    expect(changed).toEqual([{ ...first[0], reason: 'Rebuilt' }]);
    expect(withCondition(first, { ...ready, status: 'False' }, later)[0]?.lastTransitionTime).toBe(
      later.toISOString(),
    );
  });

  it('replaces only the one of its type', () => {
    const both = withCondition(withCondition([], ready, noon), { ...ready, type: 'Synced' }, noon);
    expect(
      withCondition(both, { ...ready, status: 'Unknown' }, later).map(
        ({ type, status }) => `${type} ${status}`,
      ),
    ).toEqual(['Ready Unknown', 'Synced True']);
  });

  it('counts as true only for the generation that it was determined for', () => {
    const conditions = withCondition([], { ...ready, observedGeneration: 2 }, noon);
    expect([
      isConditionTrue(conditions, 'Ready'),
      isConditionTrue(conditions, 'Ready', 2),
      isConditionTrue(conditions, 'Ready', 3),
    ]).toEqual([true, true, false]);
    expect(isConditionTrue(undefined, 'Ready')).toBe(false);
  });
});
