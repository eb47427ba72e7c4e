import { isMultipleOf } from './multiple-of.ts';

describe('isMultipleOf', () => {
  it.each([
    [0.3, 0.1, true],
    [19.99, 0.01, true],
    [0.0075, 0.0001, true],
    [0.00751, 0.0001, false],
    [1e-8, 1, false],
    [12_391_239_123, 1e-8, true],
    [1e308, 0.123456789, false],
    [-4.5, 1.5, true],
    [0, 1e300, true],
    [9_007_199_254_740_992, 3, false],
    [1e22, 7, false],
    [5e-324, 5e-324, true],
  ])('of %d and %d is %s', (value, divisor, expected) => {
    expect(isMultipleOf(value, divisor)).toBe(expected);
  });

  it('treats Infinity as a multiple of everything, and as a divisor of zero only', () => {
    expect(isMultipleOf(Number.POSITIVE_INFINITY, 3)).toBe(true);
    expect(isMultipleOf(3, Number.POSITIVE_INFINITY)).toBe(false);
    expect(isMultipleOf(0, Number.POSITIVE_INFINITY)).toBe(true);
  });
});
