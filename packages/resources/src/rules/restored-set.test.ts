import { restoredSet, restoreLevels } from './restored-set.ts';

const node = (uid: string, parentUid: string | null = null, ownerUids: readonly string[] = []) => ({
  uid,
  parentUid,
  ownerUids,
});

describe('the part of a deletion that is restored', () => {
  const removed = [
    node('leaf', 'branch'),
    node('fruit', 'field', ['leaf']),
    node('branch', 'tree'),
    node('loose'),
    node('tree', 'wood'),
  ];

  it('is everything for the resource that was deleted, with what no longer refers to it', () => {
    expect(restoredSet('tree', removed)).toEqual(['tree', 'leaf', 'fruit', 'branch', 'loose']);
  });

  it('is the resource and its dependents for one that the deletion took along', () => {
    expect(restoredSet('branch', removed)).toEqual(['branch', 'leaf', 'fruit']);
    expect(restoredSet('fruit', removed)).toEqual(['fruit']);
  });
});

describe('the levels of a restore', () => {
  it('put parents and owners first, whatever else they depend on', () => {
    const nodes = [node('c', 'b', ['outside']), node('b', 'a'), node('d', 'outside', ['a', 'c']), node('a')];
    expect(restoreLevels(nodes)).toEqual([['a'], ['b'], ['c'], ['d']]);
  });

  it('are one pass over a chain of 10,000', () => {
    const chain = Array.from({ length: 10_000 }, (_, index) => node(`${index}`, null, [`${index - 1}`]));
    expect(restoreLevels(chain)).toHaveLength(10_000);
  });
});
