import { Problem } from '@platform/kernel';
import fc from 'fast-check';
import { maxNesting, parseDocument, schemaTexts } from './json-document.ts';
import { scanJson } from './json-scan.ts';

const refusal = (text: string): string => {
  try {
    parseDocument(text);
  } catch (error) {
    if (error instanceof Problem && error.code === 'malformed_body') return error.message;
    throw error;
  }
  throw new Error('was accepted');
};

describe('parseDocument', () => {
  it('returns documents as their raw text', () => {
    const spec = '{ "big": 9007199254740993, "dec": 1.10, "huge": 1e400, "__proto__": {"a": 1} }';
    const document = parseDocument(
      `{"metadata": {"annotations" : {"a":"b"} , "name":"x"}, "spec": ${spec} }`,
    );
    expect(document.raw('/spec')).toBe(spec);
    expect(document.raw('/metadata/annotations')).toBe('{"a":"b"}');
    expect(document.raw('/status')).toBeUndefined();
  });

  it('finds members of any JSON type, with any white space', () => {
    for (const value of ['null', 'true', '-1.50', '"a\\"b,}{"', '[1,[2],{"status":3}]', '{}']) {
      expect(parseDocument(`{ "x":[{"status":0}] ,\n"status" :\t${value}\n}`).raw('/status')).toBe(value);
    }
  });

  it('reports the position of a syntax error without repeating the body', () => {
    expect(refusal('{"secret": tru}')).toMatch(/^The body is not valid JSON/);
    expect(refusal('{"secret": tru}')).not.toContain('secret');
    expect(refusal('')).toMatch(/not valid JSON/);
  });

  it.each([
    ['a duplicate key', '{"a":{"k":1,"k":2}}', 'duplicate key'],
    ['a duplicate key behind an escape', '{"a":1,"\\u0061":2}', 'duplicate key'],
    ['an escaped NUL', '{"a":"\\u0000"}', 'NUL'],
    ['an escaped NUL in a key', '{"\\u0000":1}', 'NUL'],
    ['a lone high surrogate', '{"a":"\\ud800"}', 'lone surrogate'],
    ['a lone low surrogate', '{"a":"\\udc00x"}', 'lone surrogate'],
    ['a high surrogate before another escape', '{"a":"\\ud800\\n\\udc00"}', 'lone surrogate'],
  ])('refuses %s, which two parsers could read differently', (_, text, message) => {
    expect(refusal(text)).toContain(message);
  });

  it('accepts surrogate pairs, escaped or not, and an escaped backslash before u', () => {
    expect(parseDocument('{"a":"\\ud83d\\ude00 😀 \\\\u0000"}').raw('/a')).toBe(
      '"\\ud83d\\ude00 😀 \\\\u0000"',
    );
  });

  it(`accepts ${maxNesting} levels inside the envelope and refuses one more`, () => {
    const nested = (levels: number) => `{"spec":${'{"a":'.repeat(levels)}1${'}'.repeat(levels)}}`;
    expect(parseDocument(nested(maxNesting)).raw('/spec')).toHaveLength(6 * maxNesting + 1);
    expect(refusal(nested(maxNesting + 1))).toContain('nested deeper');
    expect(refusal('['.repeat(100_000) + ']'.repeat(100_000))).toContain('nested deeper');
  });

  it('finds every root member of any object that JSON.stringify writes', () => {
    fc.assert(
      fc.property(fc.dictionary(fc.string({ unit: 'grapheme' }), fc.jsonValue({ maxDepth: 5 })), (object) => {
        const document = parseDocument(JSON.stringify(object, null, 1));
        for (const [key, value] of Object.entries(object)) {
          if (JSON.stringify(key) !== `"${key}"` || key.includes('/')) continue;
          expect(JSON.parse(document.raw(`/${key}`) ?? '')).toEqual(JSON.parse(JSON.stringify(value)));
        }
      }),
    );
  });
});

// Attack: for each of 400,000 small elements something is kept, and the process answers nobody for seconds.
describe('a scan of a large body', () => {
  it.each([
    ['{}', ''],
    ['[]', '{"spec":'],
    ['1', '{"a":{"versions":'],
  ])('keeps nothing for the elements of a list of %s that nobody asks for', (element, before) => {
    const text = `${before}[${`${element},`.repeat(50_000)}${element}]${before.replace(/[^{]/g, '').replaceAll('{', '}')}`;
    expect(JSON.parse(text)).toBeDefined();
    expect(scanJson(text, { maxDepth: 10 })).toMatchObject({ fault: null });
    expect(scanJson(text, { maxDepth: 10 }).slices.size).toBeLessThan(3);
  });

  it('keeps as many versions as no definition has', () => {
    const text = `{"versions":[${'{},'.repeat(50_000)}{}]}`;
    const { slices } = scanJson(text, { maxDepth: 10 });
    expect(slices.size).toBe(1_001);
    expect(slices.get('/versions/99')).toEqual([13 + 99 * 3, 15 + 99 * 3]);
  });

  it.each(['{"":1,"":2}', '{"a":1,"b":2,"a":3}', '{"a":1,"b":2,"b":3}', '[{"a":1},{"a":{"b":1,"b":2}}]'])(
    'finds the duplicate key of %s',
    (text) => expect(scanJson(text, { maxDepth: 10 }).fault).toMatch(/^duplicate key/),
  );
});

describe('schemaTexts', () => {
  it('finds the schema of each version as it was written', () => {
    const schema = '{ "maximum": 1e400, "const": 9007199254740993, "versions": [{"schema": 1}] }';
    const spec = `{"schema": 0, "versions" : [ {"name":"v1","schema": ${schema} }, {"name":"v2"}, {"schema":null}, { "sch\\u0065ma" : true } ], "group":"g"}`;
    expect(schemaTexts(spec, 4)).toEqual([schema, null, null, 'true']);
    expect(schemaTexts('{"versions":[]}', 0)).toEqual([]);
  });
});
