import { arrayLiteral, parseArrayLiteral, parseTimestamp } from './literals.ts';

describe('array literals', () => {
  it.each([
    [[]],
    [['plain']],
    [['a,b', 'c"d', 'e\\f', '{}', '', 'null', ' spaced ']],
    [['line\nbreak', "it's", '\\"']],
  ])('come back as they were written: %j', (values) => {
    expect(parseArrayLiteral(arrayLiteral(values))).toEqual(values);
  });

  it('read the unquoted elements that PostgreSQL writes', () => {
    expect(parseArrayLiteral('{a/b,"c d",e}')).toEqual(['a/b', 'c d', 'e']);
  });
});

describe('parseTimestamp', () => {
  it.each([
    ['2026-01-02 03:04:05+00', '2026-01-02T03:04:05.000Z'],
    ['2026-01-02 03:04:05.1+00', '2026-01-02T03:04:05.100Z'],
    ['2026-01-02 03:04:05.123+00', '2026-01-02T03:04:05.123Z'],
    ['2026-01-02 03:04:05.123456+00', '2026-01-02T03:04:05.123Z'],
    ['2026-01-02 03:04:05.12+02', '2026-01-02T01:04:05.120Z'],
    ['2026-01-02 03:04:05.123456+02', '2026-01-02T01:04:05.123Z'],
    ['2026-01-02 03:04:05.12+05:30', '2026-01-01T21:34:05.120Z'],
  ])('gives RFC 3339 with milliseconds for %s', (text, expected) => {
    expect(parseTimestamp(text)).toBe(expected);
  });
});
