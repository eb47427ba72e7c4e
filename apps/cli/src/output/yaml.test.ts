import { fromYaml, toYaml } from './yaml.ts';

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
