import { orderRegion, topOfRegion } from './order-region.ts';

describe('the order of a region', () => {
  it('puts a subtree together, each row after the one it was reached from', () => {
    const reached = [
      { uid: 'a', from: 'root' },
      { uid: 'b', from: 'root' },
      { uid: 'a1', from: 'a' },
      { uid: 'b1', from: 'b' },
      { uid: 'a11', from: 'a1' },
    ];
    expect(orderRegion(['root'], reached)).toEqual(['a', 'a1', 'a11', 'b', 'b1']);
  });

  it('names a row that was reached twice once, and no seed', () => {
    const reached = [
      { uid: 'a', from: 'one' },
      { uid: 'a', from: 'two' },
      { uid: 'two', from: 'a' },
    ];
    expect(orderRegion(['one', 'two'], reached)).toEqual(['a']);
  });
});

describe('the part of a region that did not fit one reading', () => {
  const level = (from: string, width: number) =>
    Array.from({ length: width }, (_, index) => ({ uid: `${from}.${index}`, from }));
  const uidsOf = (reached: readonly { readonly uid: string }[]) => new Set(reached.map(({ uid }) => uid));

  it('is all of a chain', () => {
    const chain = Array.from({ length: 500 }, (_, index) => ({
      uid: String(index + 1),
      from: String(index),
    }));
    expect(topOfRegion('0', chain, 200)).toEqual(chain);
  });

  it('is as many whole levels as fit a batch', () => {
    const [first, second] = [level('s', 30), level('s.0', 50)];
    const third = level('s.0.0', 200);
    const top = topOfRegion('s', [...first, ...second, ...third], 100);
    expect(uidsOf(top)).toEqual(uidsOf([...first, ...second]));
  });

  it('is the first level at least, however wide it is', () => {
    const wide = level('s', 900);
    expect(topOfRegion('s', [...wide, ...level('s.0', 100)], 100)).toEqual(wide);
  });

  it('leaves out a second way to a row below', () => {
    const both = { uid: 's.0.0', from: 's.1' };
    const [first, second] = [level('s', 60), level('s.0', 60)];
    expect(topOfRegion('s', [...first, ...second, both], 100)).toEqual(first);
  });
});
