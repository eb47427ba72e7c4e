import { bodyOf, jsonOf, yamlOf } from './large-text.ts';

const yaml = `spec:
  exact: 1.10
  big: 12345678901234567890
  text: "1.10" # said so
  list: &list [a, true, null, 1e3, 0x10]
  same: *list
  8080: "\\u202e"
  empty: {}
`;
const json =
  '{"spec":{"exact":1.10,"big":12345678901234567890,"text":"1.10","list":["a",true,null,1e3,16],' +
  '"same":["a",true,null,1e3,16],"8080":"\u202e","empty":{}}}';

describe('a text that is too long for YAML', () => {
  it('is sent as JSON with the same digits, and as it is while it is short', () => {
    expect(jsonOf(yaml)).toBe(json);
    expect(bodyOf(yaml)).toEqual({ type: 'application/yaml', content: yaml });
    const long = `${yaml}more: ${'x'.repeat(256 * 1024)}\n`;
    expect(bodyOf(long).type).toBe('application/json');
    expect(JSON.parse(bodyOf(long).content)).toMatchObject({ spec: { text: '1.10' } });
  });

  it.each(['a: .nan', '? [a]\n: b', 'a: [', 'a: 1\na: 2'])(
    'is left to the server when JSON cannot say it: %p',
    (text) => {
      expect(jsonOf(text)).toBeNull();
    },
  );

  it('is made from an answer of JSON, with the same digits', async () => {
    const response = new Response('{"spec":{"a":1.10,"b":[1,{"c":"1.10"}],"d":{},"e":"x\\ny"}}', {
      headers: { 'Content-Type': 'application/json' },
    });
    expect(await yamlOf(response)).toBe(
      'spec:\n  a: 1.10\n  b:\n    - 1\n    - c: "1.10"\n  d: {}\n  e: "x\\ny"\n',
    );
  });
});
