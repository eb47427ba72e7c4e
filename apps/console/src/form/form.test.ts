import { type FormText, readText, replaceScalar } from './form-text.ts';
import { shapeOf } from './shape.ts';
import {
  deleteIn,
  documentOf,
  numberAsYaml,
  othersIn,
  type Path,
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

describe('a scalar that somebody types', () => {
  const typed = (read: FormText, path: Path, yaml: string): FormText => {
    const next = replaceScalar(read, path, yaml);
    if (next === null) throw new Error(`${path.join('.')} is not replaced`);
    // A form reads from it what it would read from the text alone.
    expect(next.tree).toEqual(readTree(next.text));
    return next;
  };

  it('takes the place of the one before, at one place and then at another', () => {
    const one = typed(readText(text), ['metadata', 'name'], 'longer');
    const two = typed(one, ['metadata', 'name'], '"true"');
    const three = typed(two, ['spec', 'exact'], '1.10');
    expect(three.text).toBe(
      text.replace('name: a', 'name: "true"').replace('exact: 12345678901234567890.10', 'exact: 1.10'),
    );
    expect(typed(readText('a:\n  - x # kept\n  - y\n'), ['a', 0], 'z').text).toBe(
      'a:\n  - z # kept\n  - y\n',
    );
  });

  it.each<[string, Path, string]>([
    ['of a flow', ['spec', 'list', 0], 'a,b'],
    ['that is not there', ['spec', 'new'], 'x'],
    ['that is empty', ['spec', 'empty'], 'x'],
    ['that is a collection', ['metadata'], 'x'],
    ['that becomes a collection', ['metadata', 'name'], 'x: y'],
    ['that needs several lines', ['metadata', 'name'], '|-\n  x\n  y'],
    ['that others refer to', ['anchored'], 'x'],
    ['of several lines', ['block'], 'x'],
  ])('is left to the document as one %s', (_what, path, yaml) => {
    expect(replaceScalar(readText(`${text}anchored: &here x\nblock: |\n  x\n`), path, yaml)).toBeNull();
  });

  it('costs the same in a text of a megabyte', async () => {
    const lines = Array.from({ length: 14_000 }, (_, at) => `  - name: part-${at}-${'x'.repeat(50)}\n`);
    let read = readText(`metadata:\n  name: a\nparts:\n${lines.join('')}`);
    for (let length = 1; length <= 500; length += 1) {
      const next = replaceScalar(read, ['metadata', 'name'], 'n'.repeat(length));
      if (next !== null) read = next;
    }
    await new Promise((resolve) => setTimeout(resolve));
    expect(read.text).toContain(`name: ${'n'.repeat(500)}\n`);
  });
});
