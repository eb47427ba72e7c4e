import { shapeOf } from './shape.ts';
import {
  deleteIn,
  documentOf,
  numberAsYaml,
  othersIn,
  readTree,
  renameIn,
  setIn,
  setOthersIn,
  textAsYaml,
  valueIn,
  yamlIn,
} from './tree.ts';

const text = `# kept
metadata:
  name: a
spec:
  exact: 12345678901234567890.10
  list: [x, y] # both
  empty:
`;

describe('a form over a YAML text', () => {
  it('changes one place and keeps comments, order and the digits of numbers', () => {
    expect(setIn(text, ['metadata', 'name'], 'b')).toBe(text.replace('name: a', 'name: b'));
  });

  it('makes the parents that are missing or empty', () => {
    const changed = setIn(text, ['spec', 'empty', 'deep', 0], textAsYaml('yes'));
    expect(readTree(changed)).toMatchObject({ spec: { empty: { deep: ['yes'] } } });
  });

  it('appends to lists, takes items away and renames members', () => {
    const longer = setIn(text, ['spec', 'list', 2], 'z');
    expect(valueIn(readTree(longer), ['spec', 'list'])).toEqual(['x', 'y', 'z']);
    expect(valueIn(readTree(deleteIn(longer, ['spec', 'list', 0])), ['spec', 'list'])).toEqual(['y', 'z']);
    expect(renameIn(text, ['spec', 'exact'], 'renamed')).toContain('renamed: 12345678901234567890.10');
  });

  it('writes texts that look like something else in quotes, and numbers as they were typed', () => {
    expect(['true', '12', 'plain', ''].map(textAsYaml)).toEqual(['"true"', '"12"', 'plain', '""']);
    expect(['1.10', '-3', '007', 'x'].map(numberAsYaml)).toEqual(['1.10', '-3', '"007"', 'x']);
    expect(yamlIn(documentOf(text), ['spec', 'list'])).toContain('x');
  });

  it('tells null from the text', () => {
    const read = readTree('a: null\nb: ~\nc:\nd: "null"\nnull: e\n');
    expect(read).toEqual({ a: null, b: null, c: null, d: 'null', null: 'e' });
  });

  it('changes members that are not named, and no other', () => {
    const named = ['exact', 'list'];
    const changed = setOthersIn(text, ['spec'], named, 'free: 1.10 # kept, too\nempty: x');
    expect(changed).toContain(
      '  exact: 12345678901234567890.10\n  list: [x, y] # both\n  free: 1.10 # kept, too\n',
    );
    expect(othersIn(documentOf(changed ?? ''), ['spec'], named)).toBe('free: 1.10 # kept, too\nempty: x');
    expect(setOthersIn(text, ['spec'], named, '')).toContain('list: [x, y] # both\n');
    expect(setOthersIn(text, ['spec'], named, 'list: taken')).toBeNull();
    expect(setOthersIn(text, ['spec'], named, '- no member')).toBeNull();
    expect(readTree(setOthersIn(text, ['spec', 'empty'], [], 'a: 1') ?? '')).toMatchObject({
      spec: { empty: { a: '1' } },
    });
  });

  it('reads nothing from what is not YAML', () => {
    expect(readTree('a: [')).toBeNull();
    expect(valueIn(readTree('a: 1'), ['a', 'constructor'])).toBeUndefined();
  });

  it('shows schemas by their shape, and those without one as YAML', () => {
    const root = { $defs: { Size: { type: 'integer' } } };
    const shapes = [
      { type: 'string' },
      { $ref: '#/$defs/Size' },
      { enum: ['a'] },
      { enum: [{ a: 1 }] },
      { type: 'array', items: { enum: ['a'] } },
      { type: 'array', items: { type: 'string' } },
      { type: 'object', additionalProperties: { type: 'string' } },
      { type: ['string', 'null'] },
      { type: ['string', 'integer'] },
      { oneOf: [{ type: 'string' }, { type: 'integer' }] },
      {},
    ].map((schema) => shapeOf(schema, root).is);
    expect(shapes).toEqual([
      ...['text', 'number', 'choice', 'yaml', 'several', 'list', 'map', 'text', 'yaml', 'yaml', 'yaml'],
    ]);
  });
});
