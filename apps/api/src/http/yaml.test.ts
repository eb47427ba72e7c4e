import { setTimeout as delay } from 'node:timers/promises';
import { jsonToYaml, yamlToJson } from './yaml.ts';

describe('yamlToJson', () => {
  it.each([
    ['a: 1.10', '{"a":1.10}'],
    ['a: 12345678901234567890', '{"a":12345678901234567890}'],
    ['a: 1e400', '{"a":1e400}'],
    ['a: 0x1F', '{"a":31}'],
    ['a: 0x20000000000001', '{"a":9007199254740993}'],
    ['a: 0o777777777777777777777777', '{"a":4722366482869645213695}'],
    ['%YAML 1.2\n---\na: 0777', '{"a":777}'],
    ['a: +01.50', '{"a":1.50}'],
    ['a: .5', '{"a":0.5}'],
    ['a: no', '{"a":"no"}'],
    ['a: true\nb: null\nc:', '{"a":true,"b":null,"c":null}'],
    ['- 1\n- [x, {y: "1"}]', '[1,["x",{"y":"1"}]]'],
    ['a: 1\na: 2', '{"a":1,"a":2}'],
    ['__proto__: 1\n1: 2', '{"__proto__":1,"1":2}'],
    ['a: &x {b: 1}\nc: *x', '{"a":{"b":1},"c":{"b":1}}'],
    ['a: |\n  two\n  lines\n', '{"a":"two\\nlines\\n"}'],
    ['{"a": [1, 2.50]}', '{"a": [1, 2.50]}'],
    ['', ''],
  ])('%j is %s', (text, json) => {
    expect(yamlToJson(text)).toBe(json);
  });

  it.each([
    ['a: .inf', /no number \.inf/],
    ['a: [', /line 1/],
    ['a: 1\n---\nb: 2', /more than one document/],
    ['? [x]\n: 1', /a key is no text/],
    ['a: !!binary aGk=', /JSON has no value/],
    ['a: *unknown', /no anchor/],
    ['%YAML 1.1\n---\na: 0777', /YAML 1\.1/],
    ['%YAML 1.0\n---\na: 1', /./],
    ['%YAML 1.3\n---\na: 1', /./],
    ['['.repeat(100_000), /deeper/],
    [`${'[a, '.repeat(20_000)}${']'.repeat(20_000)}`, /deeper/],
    ['{a: '.repeat(20_000), /deeper/],
    ['- '.repeat(50_000), /deeper/],
    ['? '.repeat(50_000), /deeper/],
    [Array.from({ length: 700 }, (_, n) => `${' '.repeat(n)}a:`).join('\n'), /deeper/],
    [Array.from({ length: 9 }, (_, n) => `${' '.repeat(n * 40)}${'- '.repeat(20)}`).join('\n'), /deeper/],
  ])('refuses %#', (text, reason) => {
    expect(() => yamlToJson(text)).toThrow(reason);
  });

  it('reads documents that are wide but not deep', () => {
    const wide = Array.from({ length: 500 }, (_, n) => `k${n}: {a: [1, 2], b: "- - - ["}`).join('\n');
    expect(JSON.parse(yamlToJson(wide)).k499).toEqual({ a: [1, 2], b: '- - - [' });
    const flow = `[${Array.from({ length: 500 }, (_, n) => `{a: ${n}}`).join()}]`;
    expect(JSON.parse(yamlToJson(flow))).toHaveLength(500);
  });

  it('does not unfold aliases without bound', () => {
    const levels = Array.from({ length: 30 }, (_, n) => `a${n}: &a${n} [*a${n - 1}, *a${n - 1}]`);
    const bomb = ['a-1: &a-1 x', ...levels].join('\n');
    expect(() => yamlToJson(bomb)).toThrow(/aliases repeat/);
    expect(() => yamlToJson('a: &a [*a, *a]')).toThrow(/deeper/);
  });
});

describe('jsonToYaml', () => {
  it('keeps numbers and texts that look like something else', () => {
    const json = '{"a":1.10,"b":12345678901234567890,"c":"1.10","d":"no","e":["x",{"f":null}],"g":1e400}';
    const yaml = jsonToYaml(json);
    expect(yaml).toContain('a: 1.10\n');
    expect(yaml).toContain('b: 12345678901234567890\n');
    expect(yamlToJson(yaml)).toBe(json);
  });

  it.each(['yes', 'on', 'n', '1_000', '1:30', '010', '0o7', '2026-01-01', '2026-01-01T00:00:00Z', '<<', '='])(
    'quotes %s, which is something else than a text for readers of YAML 1.1',
    (text) => {
      expect(jsonToYaml(JSON.stringify({ a: text, [text]: [text] }))).toBe(
        `a: "${text}"\n"${text}":\n  - "${text}"\n`,
      );
    },
  );

  it.each(['\t', 'a\tb', '\u007f', 'a\u0085b', '\u009f', '\u2028', '\u2029', '\ufeff', 'a\ufffe', '\uffff'])(
    'escapes %j, which no document may contain or some readers refuse',
    (text) => {
      const json = JSON.stringify({ a: text, [text]: 1 });
      const yaml = jsonToYaml(json);
      expect(yaml).toMatch(/^[\n\x20-\x7e]*$/);
      expect(yamlToJson(yaml)).toBe(json);
    },
  );

  it('shows lines with tabs as lines', () => {
    expect(jsonToYaml('{"a":"all:\\n\\tmake\\n"}')).toBe('a: |\n  all:\n  \tmake\n');
  });
});

// Without the bounds these would not end within the limit of the runner, which it notices when a test gives way.
describe('the time of a document', () => {
  // Attack: the message of each fault showed the line of all of them.
  it.each([
    ['"', '\\z'],
    ['"', '\\x'],
    ['[', ','],
  ])('grows with its faults, not with their square: %j and %j', async (begin, fault) => {
    const text = begin + fault.repeat((250 * 1024) / fault.length);
    const read = () => yamlToJson(text);
    expect(read).toThrow(/ at line 1, column \d+\./);
    await delay(0);
  });

  // Attack: an expression looked for the end of the line from each of these tabs.
  it('grows with the tabs of a text that is written', async () => {
    const text = `${'\t'.repeat(400_000)}\nx`;
    const yaml = jsonToYaml(JSON.stringify({ text }));
    await delay(0);
    expect(yaml).toContain('x');
  });
});
