import { hasFewValues, parseBounded, parseExact, stringifyExact } from './exact-json.ts';

describe('exact JSON', () => {
  it.each([
    '{"user_id":17841405793187219,"a":[-9007199254740993,{"b":1e400}],"c":1e-400}',
    '{"a":0.1234567890123456789,"b":"17841405793187219","c":"\\"17841405793187219"}',
    '{"__proto__":{"n":12345678901234567890},"n":1}',
    '{"":[[],{},"",[{"\\\\":"\\"}"}],-12345678901234567890]}',
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
    expect(hasFewValues('a=1&'.repeat(9_999), '&')).toBe(true);
    expect(hasFewValues('a=1&'.repeat(10_000), '&')).toBe(false);
  });

  // Attack: what can just be read overflows the stack of what writes it, and the login ends with an internal error.
  it('of a provider has at most 64 levels', () => {
    const nested = (levels: number) => `${'{"a":'.repeat(levels - 1)}[]${'}'.repeat(levels - 1)}`;
    expect(stringifyExact(parseBounded(nested(64)))).toBe(nested(64));
    expect(() => parseBounded(nested(65))).toThrow(SyntaxError);
    expect(() => parseBounded(`${'['.repeat(65)}${']'.repeat(65)}`)).toThrow(SyntaxError);
  });

  // Attack: reading character by character takes half a second of a busy machine for each megabyte.
  it('reads a text of four megabytes in less than 60 milliseconds', () => {
    const text = JSON.stringify({ access_token: 'a'.repeat(4_000_000) });
    const times = Array.from({ length: 5 }, () => {
      const start = process.cpuUsage();
      parseExact(text);
      return process.cpuUsage(start).user / 1000;
    });
    expect(Math.min(...times)).toBeLessThan(60);
  });

  it.each(['{"a":12345678901234567890', '{"a" 1}', '[1 2]', '[1,]', '{"a":01}', '["a\n"]', '', '{}{}'])(
    'throws for %j, which is no JSON',
    (text) => {
      expect(() => parseExact(text)).toThrow(SyntaxError);
    },
  );

  it('takes the last of several members with one name', () => {
    const text = '{"a":1,"b":{"__proto__":1,"__proto__":{"c":2}},"a":"last"}';
    expect(stringifyExact(parseExact(text))).toBe('{"a":"last","b":{"__proto__":{"c":2}}}');
  });
});
