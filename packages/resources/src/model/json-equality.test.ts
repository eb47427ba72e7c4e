import fc from 'fast-check';
import { sameJson } from './json-equality.ts';

describe('sameJson', () => {
  it.each([
    ['{"a":1,"b":[1,2]}', ' { "b" : [1 ,2], "a":1 }'],
    ['1.10', '1.1'],
    ['1e3', '1000'],
    ['-0', '0'],
    ['0.001e400', '1e397'],
    ['"\\u0061"', '"a"'],
    ['{"2":1,"1":2}', '{"1":2,"2":1}'],
  ])('%s equals %s', (a, b) => {
    expect(sameJson(a, b)).toBe(true);
  });

  it.each([
    ['9007199254740993', '9007199254740992'],
    ['1e400', '1e401'],
    ['"1"', '1'],
    ['"#1e0"', '1'],
    ['{"__proto__":1}', '{}'],
    ['{"__proto__":1}', '{"__proto__":2}'],
    ['[1,2]', '[2,1]'],
    ['null', '"null"'],
    ['1e99999999999999999999', '1e99999999999999999998'],
    ['{"a":[]}', '{"a":{}}'],
  ])('%s differs from %s', (a, b) => {
    expect(sameJson(a, b)).toBe(false);
  });

  // With arithmetic on the exponents it takes minutes, and the test times out.
  it('takes no longer for an exponent of ten million digits', () => {
    const huge = `1e${'9'.repeat(10_000_000)}`;
    expect(sameJson(`[${huge}]`, `[${huge}, 1]`)).toBe(false);
    expect(sameJson(`[${huge}]`, ` [${huge.replace('e', 'E+')}]`)).toBe(true);
  });

  // Attack: zeros that are not the last digits. A regular expression looks at them from every one of them: minutes for this number.
  it('takes no longer for a million zeros within a number', () => {
    const huge = `1${'0'.repeat(1_000_000)}1`;
    expect(sameJson(`[${huge}]`, ` [${huge}.0]`)).toBe(true);
    expect(sameJson(`[${huge}]`, `[${huge}0]`)).toBe(false);
    expect(sameJson(`[0.${huge}e-${'0'.repeat(1_000_000)}1]`, `[0.0${huge}]`)).toBe(true);
  });

  // Attack: a regular expression over such a string exhausts its stack.
  it('compares strings with millions of escapes', () => {
    const long = '\\n\\\\'.repeat(2_500_000);
    expect(sameJson(`["${long}"]`, `[ "${long}"]`)).toBe(true);
    expect(sameJson(`["${long}", 1.0]`, `["${long}", 1]`)).toBe(true);
    expect(sameJson(`["${long}\\""]`, `["${long}"]`)).toBe(false);
  });

  it('agrees with deep equality, for any white space', () => {
    fc.assert(
      fc.property(fc.jsonValue(), fc.jsonValue(), (a, b) => {
        expect(sameJson(JSON.stringify(a), JSON.stringify(a, null, 2))).toBe(true);
        expect(sameJson(JSON.stringify(a), JSON.stringify(b))).toBe(
          JSON.stringify(a) === JSON.stringify(b) || deepEqual(a, b),
        );
      }),
    );
  });
});

function deepEqual(a: unknown, b: unknown): boolean {
  try {
    expect(JSON.parse(JSON.stringify(a))).toEqual(JSON.parse(JSON.stringify(b)));
    return true;
  } catch {
    return false;
  }
}
