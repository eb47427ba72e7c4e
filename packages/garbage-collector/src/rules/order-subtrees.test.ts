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
  const uidsOf = (edges: readonly { readonly uid: string }[]) => new Set(edges.map(({ uid }) => uid));

  it('is all of a chain', () => {
    const chain = Array.from({ length: 500 }, (_, index) => ({
      uid: String(index + 1),
      from: String(index),
    }));
    expect(topLevels('0', chain, 200)).toEqual(chain);
  });

  it('is as many whole levels as fit a batch', () => {
    const [first, second] = [level('s', 30), level('s.0', 50)];
    const third = level('s.0.0', 200);
    const top = topLevels('s', [...first, ...second, ...third], 100);
    expect(uidsOf(top)).toEqual(uidsOf([...first, ...second]));
  });

  it('is the first level at least, however wide it is', () => {
    const wide = level('s', 900);
    expect(topLevels('s', [...wide, ...level('s.0', 100)], 100)).toEqual(wide);
  });

  it('leaves out a second way to a row below', () => {
    const both = { uid: 's.0.0', from: 's.1' };
    const [first, second] = [level('s', 60), level('s.0', 60)];
    expect(topLevels('s', [...first, ...second, both], 100)).toEqual(first);
  });
});
