import { setTimeout as delay } from 'node:timers/promises';
import pc from 'picocolors';
import { fromYaml, toYaml } from './yaml.ts';
import { yamlDiff } from './yaml-diff.ts';

describe('a YAML file', () => {
  it('may merge what an anchor names; a key of that text is quoted', () => {
    const [value] = fromYaml('a: &a { x: 1, y: 2 }\nb: { <<: *a, y: 3 }\n"<<": text\n', 'it');
    expect(value).toEqual({ a: { x: 1, y: 2 }, b: { x: 1, y: 3 }, '<<': 'text' });
    expect(fromYaml(toYaml({ '<<': { x: 1 } }), 'it')).toEqual([{ '<<': { x: 1 } }]);
  });

  it('is written so that readers of YAML 1.1, such as kubectl, take a text for a text', () => {
    const texts = ['yes', 'on', '010', '1_000', '2026-01-01'];
    expect(toYaml(texts)).toBe(texts.map((text) => `- "${text}"\n`).join(''));
  });

  it('with aliases that unfold to too much, or that mean nothing, is named in the error', () => {
    const level = (name: string, below: string) => `${name}: &${name} [${`*${below},`.repeat(9)}]\n`;
    const bomb = ['b', 'c', 'd', 'e'].map((name, index) => level(name, 'abcd'[index] ?? '')).join('');
    expect(() => fromYaml(`a: &a [${'x,'.repeat(9)}]\n${bomb}`, 'bomb.yaml')).toThrow(
      expect.objectContaining({ exit: 'invalid', message: 'bomb.yaml: its aliases repeat too much' }),
    );
    expect(() => fromYaml('a: *x\n', 'x.yaml')).toThrow(/^x.yaml: .*: x$/);
  });
});

describe('a large file', () => {
  const keys = Array.from({ length: 60_000 }, (_, index) => `k${index}`);

  // Each key was compared with every other one.
  it('with a map of very many keys is read at once, and a repeated one is found', async () => {
    const text = keys.map((key) => `${key}: 1\n`).join('');
    expect(Object.keys(fromYaml(text, 'it')[0] as object)).toHaveLength(60_000);
    await delay(0);
    expect(() => fromYaml(`${text}k7: 2\n`, 'it')).toThrow(
      'it: Map keys must be unique at line 60001, column 1',
    );
  });

  it('of JSON keeps its digits, and is read as YAML when it is none', () => {
    expect(toYaml(fromYaml('{"a": 12345678901234567890, "b": 1e400}', 'it')[0])).toBe(
      'a: 12345678901234567890\nb: 1e400\n',
    );
    expect(fromYaml('{a: 1}\n---\n{"b": 2}', 'it')).toEqual([{ a: 1 }, { b: 2 }]);
    expect(() => fromYaml('{"a": 1, "a": 2}', 'it')).toThrow('Map keys must be unique at line 1, column 10');
  });
});

// The time to find the shortest difference grows with the square of the changed lines.
it('the differences of documents that have nothing in common are not looked for without an end', async () => {
  const of = (value: string) =>
    Object.fromEntries(Array.from({ length: 10_000 }, (_, n) => [`k${n}`, value]));
  const text = yamlDiff({ spec: of('a') }, { spec: of('b') }, pc.createColors(false));
  await delay(0);
  expect(text).toBe('  (more than 3000 changed lines)\n');
});
