import { orderSubtrees, topLevels } from './order-subtrees.ts';

describe('the order of subtrees', () => {
  it('puts a subtree together, each row after the one it depends on', () => {
    const edges = [
      { uid: 'a', from: 'root' },
      { uid: 'b', from: 'root' },
      { uid: 'a1', from: 'a' },
      { uid: 'b1', from: 'b' },
      { uid: 'a11', from: 'a1' },
    ];
    expect(orderSubtrees(['root'], edges)).toEqual(['root', 'a', 'a1', 'a11', 'b', 'b1']);
  });

  it('puts each seed before what is below it', () => {
    const edges = [
      { uid: 'a1', from: 'a' },
      { uid: 'b1', from: 'b' },
    ];
    expect(orderSubtrees(['a', 'b', 'c'], edges)).toEqual(['a', 'a1', 'b', 'b1', 'c']);
  });

  it('contains a row with two owners once', () => {
    const edges = [
      { uid: 'a', from: 'one' },
      { uid: 'a', from: 'two' },
      { uid: 'two', from: 'a' },
    ];
    expect(orderSubtrees(['one', 'two'], edges)).toEqual(['one', 'a', 'two']);
  });
});

describe('the top levels of a traversal that was cut off', () => {
  const level = (from: string, width: number) =>
    Array.from({ length: width }, (_, index) => ({ uid: `${from}.${index}`, from }));

  it('is all of a chain', () => {
    const chain = Array.from({ length: 500 }, (_, index) => ({
      uid: String(index + 1),
      from: String(index),
    }));
    expect(topLevels('0', chain, 200)).toEqual(chain);
  });

  it('is the first level of a wide tree, so that the subtrees below are read whole', () => {
    const wide = level('s', 30);
    expect(topLevels('s', [...wide, ...level('s.0', 100)], 100)).toEqual(wide);
  });
});
