import fc from 'fast-check';
import type { FieldSelector } from '../src/model/field-selector.ts';
import type { LabelSelector } from '../src/model/label-selector.ts';
import type { Labels } from '../src/model/labels.ts';
import type { Resource } from '../src/model/resource.ts';
import type { PagePosition, Selection } from '../src/model/selection.ts';
import type { CollectionRef } from '../src/model/target.ts';
import { collection, given, givenBelow, ownedBy, replacement } from './builders.ts';
import { tombstone } from './steps.ts';
import type { StoreUnderTest, Suite } from './suite.ts';

const anywhere = (depth: 1 | 2): CollectionRef => ({
  ...collection(depth === 1 ? 'Part' : 'Screw'),
  ancestors: ['Widget', 'Part'].slice(0, depth).map((kind) => ({ group: 'example.dev', kind, name: '-' })),
});

const selection = (changes: Partial<Selection> = {}): Selection => ({
  collection: collection('Widget'),
  labels: [],
  fields: [],
  scopes: null,
  ...changes,
});

/** Every page of a selection, as `ancestors/name`. */
async function paths(store: StoreUnderTest, wanted: Partial<Selection>, limit = 100): Promise<string[]> {
  const found: string[] = [];
  for (let after: PagePosition | null = null; ; ) {
    const page = await store.reader.select(selection(wanted), { limit, after }, null);
    if (page.outcome !== 'page') throw new Error(`expected a page, got ${page.outcome}`);
    if (page.items.length > limit) throw new Error('the page is too long');
    found.push(...page.items.map(({ ancestors, name }) => [...ancestors, name].join('/')));
    if (page.next === null) return found;
    after = page.next;
  }
}

/** `ResourceReader.select`. */
export function select({ guarantee }: Suite): void {
  guarantee('a list across parents is ordered by the names of the ancestors, then by name', async (store) => {
    const order = ['a', 'a-b', 'a.b', 'a0', 'b'];
    for (const name of [...order].reverse()) {
      const widget = await given(store, { name });
      for (const part of ['z', 'a-b', 'a']) await givenBelow(store, [widget], 'Part', { name: part });
    }
    const expected = order.flatMap((name) => ['a', 'a-b', 'z'].map((part) => `${name}/${part}`));
    for (const limit of [1, 4, 100])
      expect(await paths(store, { collection: anywhere(1) }, limit)).toEqual(expected);
  });

  guarantee(
    'a concrete ancestor restricts a list across parents, before and after the open one',
    async (store) => {
      const [a, ab] = [await given(store, { name: 'a' }), await given(store, { name: 'a-b' })];
      for (const widget of [a, ab]) {
        for (const name of ['x', 'y']) {
          const part = await givenBelow(store, [widget], 'Part', { name });
          await givenBelow(store, [widget, part], 'Screw', { name: 's' });
        }
      }
      const below = (widget: string, part: string) => ({
        ...collection('Screw'),
        ancestors: [
          { group: 'example.dev', kind: 'Widget', name: widget },
          { group: 'example.dev', kind: 'Part', name: part },
        ],
      });
      expect(await paths(store, { collection: below('a', '-') })).toEqual(['a/x/s', 'a/y/s']);
      expect(await paths(store, { collection: below('-', 'x') })).toEqual(['a/x/s', 'a-b/x/s']);
      expect(await paths(store, { collection: below('-', 'none') })).toEqual([]);
      const missing = selection({ collection: below('none', '-') });
      expect(await store.reader.select(missing, { limit: 1, after: null }, null)).toEqual({
        outcome: 'ancestorMissing',
      });
    },
  );

  guarantee('fields select by name, uid, deletion, owner and spec', async (store) => {
    const red = await given(store, {
      name: 'red',
      spec: '{"color":"red","a":{"n":5,"b":true},"big":9007199254740993,"one":1.0}',
    });
    const owned = await given(store, { name: 'owned', ownerReferences: [ownedBy(red)] });
    await tombstone(store, await given(store, { name: 'gone' }));
    const by = async (...fields: [string, boolean, string][]) =>
      await paths(store, { fields: fields.map(([field, equal, value]) => ({ field, equal, value })) });
    expect(await by(['metadata.name', true, 'red'])).toEqual(['red']);
    expect(await by(['metadata.name', false, 'red'])).toEqual(['gone', 'owned']);
    expect(await by(['metadata.uid', true, owned.uid])).toEqual(['owned']);
    expect(await by(['metadata.uid', true, 'none'])).toEqual([]);
    expect(await by(['metadata.deletionTimestamp', true, ''])).toEqual(['owned', 'red']);
    expect(await by(['metadata.deletionTimestamp', false, ''])).toEqual(['gone']);
    expect(await by(['metadata.ownerReferences.uid', true, red.uid])).toEqual(['owned']);
    expect(await by(['metadata.ownerReferences.uid', false, red.uid])).toEqual(['gone', 'red']);
    expect(await by(['spec.color', true, 'red'])).toEqual(['red']);
    expect(await by(['spec.a.n', true, '5'], ['spec.a.b', true, 'true'])).toEqual(['red']);
    expect(await by(['spec.big', true, '9007199254740993'], ['spec.one', true, '1.0'])).toEqual(['red']);
    expect(await by(['spec.one', true, '1'])).toEqual([]);
    expect(await by(['spec.a', true, ''])).toEqual(['gone', 'owned', 'red']);
  });

  guarantee('scopes show a resource and everything below it', async (store) => {
    const [a, b] = [await given(store, { name: 'a' }), await given(store, { name: 'b' })];
    const part = await givenBelow(store, [a], 'Part', { name: 'p' });
    await givenBelow(store, [b], 'Part', { name: 'p' });
    expect(await paths(store, { scopes: [a.uid] })).toEqual(['a']);
    expect(await paths(store, { collection: anywhere(1), scopes: [a.uid] })).toEqual(['a/p']);
    expect(await paths(store, { collection: anywhere(1), scopes: [part.uid] })).toEqual(['a/p']);
    expect(await paths(store, { collection: anywhere(1), scopes: [] })).toEqual([]);
  });

  guarantee('labels that were replaced or removed select no more', async (store) => {
    const row = await given(store, { name: 'w', labels: { app: 'old', tier: 'x' } });
    const replaced = await store.writer.replace(replacement(row, { labels: { app: 'new' } }));
    expect(replaced.outcome).toBe('replaced');
    const having = (key: string, ...values: string[]) =>
      paths(store, { labels: [{ key, operator: values.length === 0 ? 'exists' : 'in', values }] });
    expect(await having('app', 'old')).toEqual([]);
    expect(await having('tier')).toEqual([]);
    expect(await having('app', 'new', 'old')).toEqual(['w']);
  });

  guarantee('labels with more digits than a double keeps are compared exactly', async (store) => {
    const numbers = [
      '999999999999999',
      '1234567890123459',
      '1234567890123460',
      '1234567890123461',
      '01234567890123462',
    ];
    for (const size of numbers) await given(store, { name: `n${size}`, labels: { size } });
    const sizes = (operator: 'gt' | 'lt', bound: string) =>
      paths(store, { labels: [{ key: 'size', operator, values: [bound] }] }, 2);
    expect(await sizes('gt', '1234567890123460')).toEqual(['n01234567890123462', 'n1234567890123461']);
    expect(await sizes('lt', '1234567890123460')).toEqual(['n1234567890123459', 'n999999999999999']);
    expect(await sizes('gt', '999999999999999')).toHaveLength(4);
    expect(await sizes('gt', '999999999999999999')).toEqual([]);
  });

  guarantee('selectors mean the same as a small evaluator of their own', async (store) => {
    const rows: Resource[] = [];
    const some = fc.sample(labelSets, { seed: 7, numRuns: 40 });
    for (const labels of some) rows.push(await given(store, { labels }));
    await fc.assert(
      fc.asyncProperty(
        fc.array(requirement, { maxLength: 3 }),
        fc.constantFrom(3, 100),
        async (labels, limit) => {
          const expected = rows
            .filter((row) => labels.every((one) => holds(one, row.labels)))
            .map(({ name }) => name)
            .sort();
          expect((await paths(store, { labels }, limit)).sort()).toEqual(expected);
        },
      ),
      { seed: 8, numRuns: 60 },
    );
    const none: FieldSelector = [{ field: 'metadata.name', equal: false, value: rows[0]?.name ?? '' }];
    expect(await paths(store, { fields: none })).toHaveLength(rows.length - 1);
  });
}

const key = fc.constantFrom('app', 'tier', 'example.dev/a.b_c');
const value = fc.constantFrom('', 'a', 'b', '7', '12');
const labelSets: fc.Arbitrary<Labels> = fc
  .dictionary(key, value, { maxKeys: 3 })
  .map((labels) => ({ ...labels }));
const requirement: fc.Arbitrary<LabelSelector[number]> = fc.oneof(
  fc.record({
    key,
    operator: fc.constantFrom('in' as const, 'notIn' as const),
    values: fc.uniqueArray(value, { minLength: 1 }),
  }),
  fc.record({
    key,
    operator: fc.constantFrom('exists' as const, 'doesNotExist' as const),
    values: fc.constant([]),
  }),
  fc.record({
    key,
    operator: fc.constantFrom('gt' as const, 'lt' as const),
    values: fc.constantFrom(['7'], ['9']),
  }),
);

function holds({ key: wanted, operator, values }: LabelSelector[number], labels: Labels): boolean {
  const found = Object.entries(labels).find(([name]) => name === wanted)?.[1];
  const is = found !== undefined && values.some((one) => one === found);
  const [bound = ''] = values;
  return {
    in: is,
    notIn: !is,
    exists: found !== undefined,
    doesNotExist: found === undefined,
    gt: found !== undefined && found !== '' && Number(found) > Number(bound),
    lt: found !== undefined && found !== '' && Number(found) < Number(bound),
  }[operator];
}
