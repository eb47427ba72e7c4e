import { parseExactJson } from './exact-json.ts';

describe('parseExactJson', () => {
  it('keeps every digit of an integer, and reads everything else as JSON.parse does', () => {
    expect(parseExactJson('{"a":9007199254740993,"b":[-12345678901234567890,1.5,1e3,7]}')).toEqual({
      a: 9007199254740993n,
      b: [-12345678901234567890n, 1.5, 1000, 7],
    });
  });

  it('changes no number that is part of a text or a name', () => {
    const text = '{"9007199254740993":"say \\"9007199254740993\\"","n":"9007199254740993\\\\"}';
    expect(parseExactJson(text)).toEqual(JSON.parse(text));
  });
});
