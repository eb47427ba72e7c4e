import { JsonTokens } from './json-tokens.ts';

/** Each token with the place where it begins. */
function tokensOf(text: string): readonly (readonly [token: string, start: number])[] {
  const tokens = new JsonTokens(text);
  const found: [string, number][] = [];
  for (let token = tokens.next(); token !== undefined; token = tokens.next())
    found.push([token, tokens.start]);
  return found;
}

it('reads marks, strings and other scalars with their place', () => {
  const text = ' {"a" : [1.50e400,\n true ,null], "b\\\\":"c\\"}" }\t';
  expect(tokensOf(text)).toEqual(
    [
      '{',
      '"a"',
      ':',
      '[',
      '1.50e400',
      ',',
      'true',
      ',',
      'null',
      ']',
      ',',
      '"b\\\\"',
      ':',
      '"c\\"}"',
      '}',
    ].map((token, index, all) => {
      const before = all.slice(0, index).join('');
      const start = [...text.matchAll(/\S/g)][before.replace(/\s/g, '').length]?.index;
      return [token, start];
    }),
  );
});

it.each(['\\"', '\\\\', 'x', '\\u0041'])('reads a string of ten million times %s', (part) => {
  const text = `"${part.repeat(10_000_000)}"`;
  expect(tokensOf(`[${text}]`).map(([token]) => token.length)).toEqual([1, text.length, 1]);
});

it('reads a number of ten million digits', () => {
  const text = '9'.repeat(10_000_000);
  for (let again = 0; again < 3; again += 1)
    expect(tokensOf(`[${text}]`).map(([token]) => token.length)).toEqual([1, text.length, 1]);
});

it('does not read beyond a string without an end', () => {
  expect(() => tokensOf('["a\\"]')).toThrow('has no end');
});
