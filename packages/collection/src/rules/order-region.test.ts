import { orderRegion } from './order-region.ts';

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
