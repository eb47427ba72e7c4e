import { createRequire } from 'node:module';
import { Problem } from '@platform/kernel';
import { parseValue, renderValue } from '../model/json-value.ts';
import { applyJsonPatch, readJsonPatch } from './json-patch.ts';

interface SuiteCase {
  readonly comment?: string;
  readonly doc: unknown;
  readonly patch: unknown;
  readonly expected?: unknown;
  readonly error?: string;
  readonly disabled?: boolean;
}

const load = createRequire(import.meta.url);
const suite = [
  ...(load('json-patch-test-suite/spec_tests.json') as SuiteCase[]),
  ...(load('json-patch-test-suite/tests.json') as SuiteCase[]),
].filter(({ patch, disabled }) => patch !== undefined && disabled !== true);

function patched(document: string, patch: string): string {
  return renderValue(applyJsonPatch(parseValue(document), readJsonPatch(parseValue(patch))));
}

describe('the official JSON Patch suite', () => {
  it('is there', () => expect(suite.length).toBeGreaterThan(80));

  it.each(suite.map((one, index) => [`${index} ${one.comment ?? one.error ?? ''}`, one] as const))(
    'case %s',
    (_name, { doc, patch, expected, error }) => {
      const run = () => patched(JSON.stringify(doc), JSON.stringify(patch));
      if (error !== undefined) expect(run).toThrow(Problem);
      else if (expected === undefined) expect(run).not.toThrow();
      else expect(JSON.parse(run())).toEqual(expected);
    },
  );
});

describe('a JSON Patch on exact values', () => {
  it.each([
    [
      'keeps digits',
      '{"a":1.10,"b":1e400}',
      '[{"op":"copy","from":"/a","path":"/c"}]',
      '{"a":1.10,"b":1e400,"c":1.10}',
    ],
    [
      'adds __proto__ as a key',
      '{}',
      '[{"op":"add","path":"/__proto__","value":{"x":1}}]',
      '{"__proto__":{"x":1}}',
    ],
    [
      'keeps the order of keys',
      '{"2":1,"1":2}',
      '[{"op":"add","path":"/0","value":0}]',
      '{"2":1,"1":2,"0":0}',
    ],
    ['compares numbers by value', '{"a":1}', '[{"op":"test","path":"/a","value":1.0}]', '{"a":1}'],
  ])('%s', (_name, document, patch, expected) => {
    expect(patched(document, patch)).toBe(expected);
  });

  it.each([
    '[{"op":"test","path":"/a","value":9007199254740992}]',
    '[{"op":"remove","path":"/toString"}]',
    '[{"op":"add","path":"/l/01","value":1}]',
    '[{"op":"move","from":"/o","path":"/o/x"}]',
    '[{"op":"add","path":"/a/b","value":1}]',
  ])('%s cannot be applied', (patch) => {
    const document = '{"a":9007199254740993,"l":[1,2],"o":{}}';
    expect(() => patched(document, patch)).toThrow(expect.objectContaining({ code: 'patch_failed' }));
  });

  it('is malformed with every fault', () => {
    const patch = '[{"op":"put","path":"/a"},{"op":"add","path":"a"},{"op":"copy","path":"/~2"},7]';
    expect(() => readJsonPatch(parseValue(patch))).toThrow(
      expect.objectContaining({
        code: 'malformed_patch',
        errors: ['/0/op', '/1/path', '/1/value', '/2/path', '/2/from', '/3'].map((path) =>
          expect.objectContaining({ path }),
        ),
      }),
    );
  });

  it('cannot be run twice with different results', () => {
    const operations = readJsonPatch(
      parseValue('[{"op":"add","path":"/a","value":{}},{"op":"add","path":"/a/b","value":1}]'),
    );
    const once = () => renderValue(applyJsonPatch(parseValue('{}'), operations));
    expect([once(), once()]).toEqual(['{"a":{"b":1}}', '{"a":{"b":1}}']);
  });

  // Attack: each pair of operations is a level deeper than the one before it, and no text of the patch is.
  it.each(['move', 'copy'])('refuses a result that is nested too deep: %s', (op) => {
    const pairs = Array.from({ length: 200 }, (_, index) => {
      const [from, to] = index % 2 === 0 ? ['a', 'b'] : ['b', 'a'];
      const deep = `${'{"x":'.repeat(55)}1${'}'.repeat(55)}`;
      const path = `/${to}${'/x'.repeat(55)}`;
      return `{"op":"add","path":"/${to}","value":${deep}},{"op":"${op}","from":"/${from}","path":"${path}"}`;
    });
    expect(() => patched('{"a":1}', `[${pairs}]`)).toThrow(
      expect.objectContaining({ code: 'malformed_body', message: expect.stringContaining('64 levels') }),
    );
  });

  // Attack: each copy doubles the document.
  it('refuses a patch that copies without bound', () => {
    const copies = Array.from({ length: 40 }, (_, index) => `{"op":"copy","from":"","path":"/c${index}"}`);
    expect(() => patched('{"a":"x"}', `[${copies}]`)).toThrow(
      expect.objectContaining({ code: 'payload_too_large' }),
    );
  });

  it('takes copies of some 200,000 values, and refuses more', () => {
    const list = JSON.stringify({ list: Array.from({ length: 999 }, () => '') });
    const copies = (count: number) =>
      `[${Array.from({ length: count }, (_, index) => `{"op":"copy","from":"/list","path":"/c${index}"}`)}]`;
    expect(() => patched(list, copies(190))).not.toThrow();
    expect(() => patched(list, copies(260))).toThrow(expect.objectContaining({ code: 'payload_too_large' }));
  });
});
