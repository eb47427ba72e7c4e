import fc from 'fast-check';
import type { Kind } from '../api/kinds.ts';
import { documentSchema } from './document-schema.ts';
import { beginDraft, followDraft, resolveConflict, savedDraft } from './draft.ts';
import { draftOf, faultsOf, placeOf, withRevision } from './draft-text.ts';
import { mergeTexts, takeLive } from './merge.ts';
import { type Schema, skeleton, suggest } from './schema-help.ts';
import { textChanges } from './text-changes.ts';

const yaml = `apiVersion: example.dev/v1
kind: Widget
metadata:
  name: one
  uid: 01a2
  revision: 7
  labels: {}
  ancestors:
    - acme
spec:
  price: 1.10
  big: 12345678901234567890
status:
  controllers:
    a: 1
`;

describe('draftOf', () => {
  it('leaves out what the server sets, and touches no digit of the rest', () => {
    expect(draftOf(yaml)).toBe(`apiVersion: example.dev/v1
kind: Widget
metadata:
  name: one
  labels: {}
spec:
  price: 1.10
  big: 12345678901234567890
`);
  });

  it('takes its revision back for a PUT', () => {
    expect(withRevision(draftOf(yaml), 7)).toContain('metadata:\n  revision: 7\n  name: one\n');
  });
});

describe('faultsOf', () => {
  it.each([
    ['duplicate keys', 'a: 1\na: 2\n'],
    ['several documents', 'a: 1\n---\nb: 2\n'],
    ['broken syntax', 'a: [1\n'],
    [
      'an alias bomb',
      `a: &a [1,1,1,1,1]\nb: &b [*a,*a,*a,*a,*a,*a,*a,*a]\nc: &c [*b,*b,*b,*b,*b,*b,*b,*b]\nd: [*c,*c,*c,*c,*c,*c]\n`,
    ],
  ])('refuses %s', (_name, text) => {
    expect(faultsOf(text)).not.toEqual([]);
  });

  it('accepts the draft of a resource, and finds the place of a field error', () => {
    expect(faultsOf(draftOf(yaml))).toEqual([]);
    const { from, to } = placeOf(yaml, '/spec/price');
    expect(yaml.slice(from, to)).toBe('1.10');
  });
});

describe('mergeTexts', () => {
  const base = 'spec:\n  a: 1\n  b: 2\n  list: [1]\n';

  it('takes what others changed, and keeps what I changed, with my comments', () => {
    const mine = 'spec:\n  a: 10 # mine\n  b: 2\n  list: [1]\n';
    const live = 'spec:\n  a: 1\n  b: 20\n  list: [1]\n  c: 12345678901234567890\n';
    const merge = mergeTexts(base, mine, live);
    expect(merge.conflicts).toEqual([]);
    expect(merge.taken).toBe(2);
    expect(merge.text).toContain('a: 10 # mine');
    expect(merge.text).toContain('b: 20');
    expect(merge.text).toContain('c: 12345678901234567890');
  });

  it('reports a place that both changed, and leaves mine there', () => {
    const merge = mergeTexts(base, base.replace('b: 2', 'b: 3'), base.replace('b: 2', 'b: 4'));
    expect(merge.conflicts.map(({ path }) => path.join('.'))).toEqual(['spec.b']);
    expect(merge.text).toContain('b: 3');
    expect(takeLive(merge.text, base.replace('b: 2', 'b: 4'), ['spec', 'b'])).toContain('b: 4');
  });

  it('reports a new member whose object is none in mine any more', () => {
    const merge = mergeTexts('spec:\n  a: {}\n', 'spec:\n  a: 1\n', 'spec:\n  a:\n    b: 2\n');
    expect(merge.conflicts.map(({ path }) => path.join('.'))).toEqual(['spec.a.b']);
    expect(merge.text).toBe('spec:\n  a: 1\n');
  });

  it('takes theirs where mine has no object for it, as the whole that they have', () => {
    expect(takeLive('spec:\n  a: 1\n', 'spec:\n  a:\n    b: 2\n', ['spec', 'a', 'b'])).toBe(
      'spec:\n  a:\n    b: 2\n',
    );
    expect(takeLive('spec: {}\n', 'spec:\n  a:\n    b: 2\n', ['spec', 'a', 'b'])).toContain('b: 2');
    expect(takeLive('nothing\n', 'spec:\n  a: 2\n', ['spec', 'a'])).toBe('spec:\n  a: 2\n');
  });

  it('puts what an alias stands for in its place before it changes a part of it', () => {
    const mine = 'spec:\n  a: &one\n    b: 1\n  c: *one\n  d: 1 # mine\n';
    const before = 'spec:\n  a:\n    b: 1\n  c:\n    b: 1\n';
    const merge = mergeTexts(before, mine, 'spec:\n  a: 5\n  c:\n    b: 1\n    e: 2\n');
    expect(merge.conflicts).toEqual([]);
    expect(merge.text).toBe('spec:\n  a: 5\n  c:\n    b: 1\n    e: 2\n  d: 1 # mine\n');
  });

  it('finds members whose keys are numbers, truth values or null', () => {
    const before = 'spec:\n  "80": a\n  "true": {b: 1}\n  "": x\n  "1": gone\n';
    const mine = 'spec:\n  80: a # mine\n  true: {b: 1}\n  ~: x\n  1: gone\n  own: 1\n';
    const live = 'spec:\n  "80": b\n  "true": {b: 2, c: 3}\n  "": y\n';
    const merge = mergeTexts(before, mine, live);
    expect(merge.conflicts).toEqual([]);
    expect(merge.text).toBe('spec:\n  80: b\n  true: { b: 2, c: 3 }\n  ~: y\n  own: 1\n');
    expect(takeLive(mine, live, ['spec', '80'])).toContain('  80: b\n');
    expect(takeLive(mine, live, ['spec', '1'])).not.toContain('gone');
    const { from, to } = placeOf(mine, '/spec/80');
    expect(mine.slice(from, to)).toBe('a');
    expect(placeOf('"80": [x, y]\n', '/80/1')).toEqual({ from: 10, to: 11 });
  });

  it('treats a list as one value', () => {
    const merge = mergeTexts(base, base.replace('[1]', '[1, 2]'), base.replace('[1]', '[0, 1]'));
    expect(merge.conflicts).toHaveLength(1);
  });

  it('sees no conflict where both made the same change, or one removed what nobody else touched', () => {
    expect(mergeTexts(base, base.replace('b: 2', 'b: 3'), base.replace('b: 2', 'b: 3')).conflicts).toEqual(
      [],
    );
    expect(mergeTexts(base, base, 'spec:\n  a: 1\n  list: [1]\n').text).not.toContain('b:');
  });
});

describe('a draft', () => {
  const stored = (revision: number, spec: string) => ({ path: '/one', revision, text: `spec:\n${spec}` });
  const typed = { ...beginDraft(stored(1, '  a: 1\n  b: 1\n')), mine: 'spec:\n  a: 2\n  b: 1\n' };

  it('keeps a conflict that nobody has answered, with what is stored now', () => {
    const asked = followDraft(typed, stored(2, '  a: 3\n  b: 1\n'));
    const later = followDraft(asked, stored(3, '  a: 3\n  b: 4\n'));
    expect(later.conflicts).toMatchObject([{ path: ['spec', 'a'], base: 1n, mine: 2n, live: 3n }]);
    expect(later.mine).toBe('spec:\n  a: 2\n  b: 4\n');
    const again = followDraft(later, stored(4, '  a: 5\n  b: 4\n'));
    expect(again.conflicts).toMatchObject([{ path: ['spec', 'a'], base: 1n, mine: 2n, live: 5n }]);
    expect(followDraft(again, stored(5, '  a: 2\n  b: 4\n')).conflicts).toEqual([]);
  });

  it('stays as it is when theirs is taken into a text that cannot be parsed', () => {
    const asked = followDraft(typed, stored(2, '  a: 3\n  b: 1\n'));
    const broken = { ...asked, mine: 'spec:\n  a: [\n' };
    const [conflict] = asked.conflicts;
    if (conflict === undefined) throw new Error('there is a conflict');
    expect(resolveConflict(broken, conflict, 'live')).toEqual(broken);
    expect(resolveConflict(broken, conflict, 'mine')).toMatchObject({ mine: broken.mine, conflicts: [] });
  });

  it('keeps what was typed after a text was sent, and asks nothing about one’s own save', () => {
    const sent = typed.mine;
    const typedOn = { ...typed, mine: sent.replace('a: 2', 'a: 20') };
    const now = stored(2, '  a: 2\n  b: 1\n  c: 1\n');
    for (const draft of [typedOn, followDraft(typedOn, now)]) {
      expect(savedDraft(draft, sent, now)).toMatchObject({
        revision: 2,
        base: now.text,
        mine: 'spec:\n  a: 20\n  b: 1\n  c: 1\n',
        conflicts: [],
      });
    }
    expect(savedDraft(typed, sent, now)).toEqual(beginDraft(now));
  });
});

describe('textChanges', () => {
  it.each([
    [
      'a: 1\nb: 2\nc: 3\n',
      'a: 1\nb: 20\nc: 3\nd: 4\n',
      [
        [9, 9, '0'],
        [15, 15, 'd: 4\n'],
      ],
    ],
    ['a: 1\nb: 2\n', 'b: 2\n', [[0, 5, '']]],
    ['', 'a', [[0, 0, 'a']]],
    ['a\n', '', [[0, 2, '']]],
  ])('of %j to %j are as small as possible', (before, after, expected) => {
    const changes = textChanges(before, after);
    expect(changes.map(({ from, to, insert }) => [from, to, insert])).toEqual(expected);
  });

  it('make the other text', () => {
    const text = fc.array(fc.constantFrom('a', 'b', '\n'), { maxLength: 40 }).map((parts) => parts.join(''));
    fc.assert(
      fc.property(text, text, (before, after) => {
        const made = [...textChanges(before, after)]
          .reverse()
          .reduce((one, { from, to, insert }) => one.slice(0, from) + insert + one.slice(to), before);
        expect(made).toBe(after);
      }),
    );
  });
});

describe('suggestions', () => {
  const schema: Schema = {
    type: 'object',
    required: ['color', 'parts'],
    properties: {
      color: { enum: ['red', 'blue'], description: 'Its paint.' },
      parts: { type: 'array', items: { $ref: '#/$defs/part' } },
      open: { type: 'boolean' },
    },
    $defs: {
      part: { type: 'object', properties: { size: { type: 'integer' }, inner: { $ref: '#/$defs/part' } } },
    },
  };
  const kind = { group: 'example.dev', kind: 'Widget', plural: 'widgets', versions: [] } as unknown as Kind;
  const root = documentSchema(kind, 'v1', schema);
  const labels = (text: string) =>
    suggest(root, text.split('\n'), text.split('\n').length - 1).map(({ label }) => label);

  it('offers keys with their types', () => {
    expect(labels('spec:\n  ')).toEqual(['color', 'parts', 'open']);
  });

  it('offers the values of an enumeration', () => {
    expect(labels('spec:\n  color: ')).toEqual(['red', 'blue']);
    expect(labels('spec:\n  open: ')).toEqual(['true', 'false']);
  });

  it('follows references into lists', () => {
    expect(labels('spec:\n  parts:\n    - ')).toEqual(['size', 'inner']);
  });

  it.each([
    ['a member', '#/properties/shape'],
    ['a definition in the words of older drafts', '#/definitions/shape'],
    ['names with escapes', '#/$defs/a~1b%20c'],
    ['a branch', '#/allOf/0'],
  ])('follow a reference to %s', (_name, $ref) => {
    const shape: Schema = { properties: { round: { type: 'boolean' } } };
    const odd = {
      properties: { shape, other: { $ref } },
      definitions: { shape },
      $defs: { 'a/b c': shape },
      allOf: [shape],
    };
    const text = 'spec:\n  other:\n    ';
    expect(suggest(documentSchema(kind, 'v1', odd), text.split('\n'), 2).map(({ label }) => label)).toEqual([
      'round',
    ]);
  });

  it('follow no reference that leads nowhere', () => {
    for (const $ref of ['#/$defs/missing', '#/%', '#anchor', 'other.json#/a', '#/$defs/constructor'])
      expect(skeleton({ $ref, type: 'string', $defs: {} })).toBe('');
  });

  it('end at a schema that refers to itself in every branch', () => {
    const self: Schema = { $ref: '#', type: 'string', allOf: [{ $ref: '#' }, { $ref: '#' }, { $ref: '#' }] };
    expect(skeleton(self)).toBe('');
  });

  it('begins a new resource with what is required, and ends at circles', () => {
    expect(skeleton(schema)).toEqual({ color: 'red', parts: [] });
    const circle: Schema = {
      $ref: '#/$defs/a',
      $defs: { a: { required: ['a'], properties: { a: { $ref: '#/$defs/a' } } } },
    };
    expect(skeleton(circle)).toBeDefined();
  });
});
