import { parseBounded, parseExact, stringifyExact } from './exact-json.ts';

describe('exact JSON', () => {
  it.each([
    '{"user_id":17841405793187219,"a":[-9007199254740993,{"b":1e400}],"c":1e-400}',
    '{"a":0.1234567890123456789,"b":"17841405793187219","c":"\\"17841405793187219"}',
    '{"__proto__":{"n":12345678901234567890},"n":1}',
    '12345678901234567890',
  ])('keeps %s', (text) => {
    expect(stringifyExact(parseExact(text))).toBe(text);
    expect(stringifyExact(parseExact(stringifyExact(parseExact(text))))).toBe(text);
  });

  it.each(['{"a":9007199254740991,"b":1.5,"c":1e3,"d":0.0,"e":-12}', '[]', '"x"', 'null'])(
    'reads %s as JSON.parse does',
    (text) => {
      expect(parseExact(text)).toEqual(JSON.parse(text));
      expect(stringifyExact(parseExact(text))).toBe(JSON.stringify(JSON.parse(text)));
    },
  );

  // Attack: a provider answers a megabyte of them, and the process serves nobody else for seconds.
  it('of a provider has at most 10,000 values', () => {
    const list = (count: number) => JSON.stringify(Array.from({ length: count }, () => ({})));
    expect(parseBounded(list(10_000))).toHaveLength(10_000);
    expect(() => parseBounded(list(10_001))).toThrow(SyntaxError);
    expect(stringifyExact(parseBounded('{"a":12345678901234567890}'))).toBe('{"a":12345678901234567890}');
  });

  it('throws for a text that is no JSON', () => {
    expect(() => parseExact('{"a":12345678901234567890')).toThrow(SyntaxError);
  });
});
