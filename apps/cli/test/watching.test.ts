import { readJsonPath, valueAt } from '../src/wait/json-path.ts';
import { readWaitCondition } from '../src/wait/wait-condition.ts';

const resource = {
  metadata: { name: 'w', generation: 2 },
  spec: { color: 'red', size: 3, list: [{ 'a.b': true }], none: null },
  status: {
    controllers: { one: { conditions: [{ type: 'Ready', status: 'True' }] }, two: { conditions: 'none' } },
  },
  // biome-ignore lint/suspicious/noExplicitAny: only the members that are looked at
} as any;

describe('a JSONPath', () => {
  it.each([
    ['{.spec.color}', 'red'],
    ['.spec.size', 3],
    ['{.spec.list[0].a\\.b}', true],
    [".spec.list[0]['a.b']", true],
    ['{.spec["none"]}', null],
    ['{.spec.toString}', undefined],
  ])('%s finds %j', (text, value) => {
    expect(valueAt(resource, readJsonPath(text))).toEqual(value);
  });

  it.each(['', '{}', 'spec', '{.spec[*]}', '{..name}', '{.a[?(@.b)]}'])('%j is refused', (text) => {
    expect(() => readJsonPath(text)).toThrow('invalid JSONPath');
  });
});

describe('wait --for', () => {
  it.each([
    ['condition=ready', true],
    ['condition=Ready=true', true],
    ['condition=Ready=False', false],
    ['condition=Synced', false],
    ['jsonpath={.spec.color}=red', true],
    ['jsonpath={.spec.color}=blue', false],
    ['jsonpath=.spec.size=3', true],
    ['jsonpath={.spec.color}', true],
    ['jsonpath={.spec.missing}', false],
    ['delete', false],
    ['create', true],
  ])('%s is %s', (text, met) => {
    expect(readWaitCondition(text).isMet(resource)).toBe(met);
  });

  it('looks only into the slot that is named, and not at conditions of an earlier generation', () => {
    expect(readWaitCondition('condition=Ready', 'two').isMet(resource)).toBe(false);
    const old = { type: 'Ready', status: 'True', observedGeneration: 1 };
    const stale = { ...resource, status: { controllers: { one: { conditions: [old] } } } };
    expect(readWaitCondition('condition=Ready').isMet(stale)).toBe(false);
  });

  it.each(['ready', 'condition=', 'jsonpath='])('%s is refused', (text) => {
    expect(() => readWaitCondition(text)).toThrow('invalid --for');
  });
});
