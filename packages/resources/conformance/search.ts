import { StaleAccess } from '@platform/access';
import type { NameMatch, SearchAccess, SearchPosition, SearchScope } from '../src/model/search.ts';
import { definitionCreation, given, givenBelow, givenDefinition, givenOrganization } from './builders.ts';
import type { StoreUnderTest, Suite } from './suite.ts';

const everything: SearchScope = { labels: [], kind: null, access: null };

/** Every page of a search, as names. */
async function found(
  store: StoreUnderTest,
  match: NameMatch,
  text: string,
  scope: Partial<SearchScope> = {},
  limit = 100,
): Promise<string[]> {
  const names: string[] = [];
  for (let after: SearchPosition | null = null; ; ) {
    const range = { limit, after };
    const page = await store.reader.search({ ...everything, ...scope }, { match, text }, range);
    if (page.items.length > limit) throw new Error('the page is too long');
    names.push(...page.items.map(({ kind, name }) => `${kind} ${name}`));
    if (page.next === null) return names;
    after = page.next;
  }
}

/** `ResourceReader.search` and `searchByUid`. */
export function search({ guarantee }: Suite): void {
  const access = async (
    store: StoreUnderTest,
    grants: readonly Partial<SearchAccess['grants'][number]>[],
    controllerId: string | null = null,
  ): Promise<SearchAccess> => ({
    version: await store.access.version(),
    grants: grants.map((grant) => ({ group: '*', plural: '*', scope: null, name: null, ...grant })),
    controllerId,
  });

  guarantee(
    'a search finds whole names, prefixes and parts of names of every kind, by name',
    async (store) => {
      for (const name of ['shop', 'shop-b', 'shop-a', 'my-shop', 'workshop', 'sho']) {
        const widget = await given(store, { name });
        await givenBelow(store, [widget], 'Part', { name: `p.${name}` });
      }
      await givenOrganization(store, 'shop');
      const expected: Readonly<Record<NameMatch, readonly string[]>> = {
        whole: ['Organization shop', 'Widget shop'],
        prefix: ['Widget shop-a', 'Widget shop-b'],
        part: [
          'Part p.my-shop',
          'Part p.shop',
          'Part p.shop-a',
          'Part p.shop-b',
          'Part p.workshop',
          'Widget my-shop',
          'Widget workshop',
        ],
      };
      for (const limit of [1, 3, 100]) {
        for (const match of ['whole', 'prefix', 'part'] as const) {
          // Of one name, uids decide, which are random.
          const names = await found(store, match, 'shop', {}, limit);
          expect(names.map(nameOf)).toEqual(names.map(nameOf).sort());
          expect(names.sort()).toEqual(expected[match]);
        }
      }
    },
  );

  guarantee('a search is narrowed by labels, kind and group', async (store) => {
    await given(store, { name: 'a', labels: { app: 'x' } });
    await given(store, { name: 'ab', apiVersion: 'other.dev/v1', collection: other });
    const labels = [{ key: 'app', operator: 'in' as const, values: ['x'] }];
    expect(await found(store, 'whole', 'a', { labels })).toEqual(['Widget a']);
    expect(await found(store, 'prefix', 'a', { labels })).toEqual([]);
    const kind = (group: string | null) => ({ kind: { group, kind: 'Widget' } });
    expect(await found(store, 'prefix', 'a', kind(null))).toEqual(['Widget ab']);
    expect(await found(store, 'prefix', 'a', kind('other.dev'))).toEqual(['Widget ab']);
    expect(await found(store, 'prefix', 'a', kind('example.dev'))).toEqual([]);
    expect(await found(store, 'whole', 'a', { kind: { group: null, kind: 'Part' } })).toEqual([]);
  });

  guarantee('a search finds only what grants cover', async (store) => {
    for (const kind of ['Widget', 'Part']) await givenDefinition(store, { group: 'example.dev', kind });
    const [a, b] = [await given(store, { name: 'x-a' }), await given(store, { name: 'x-b' })];
    for (const widget of [a, b]) await givenBelow(store, [widget], 'Part', { name: 'x-p' });
    await givenOrganization(store, 'x-o');
    await given(store, { name: 'x-u', collection: other, apiVersion: 'other.dev/v1' });
    const names = async (...grants: Parameters<typeof access>[1][number][]) =>
      (await found(store, 'prefix', 'x', { access: await access(store, grants) })).sort();
    expect(await names()).toEqual([]);
    // Rows of a kind that no definition registers are for operators.
    expect(await names({})).toEqual(['Organization x-o', 'Part x-p', 'Part x-p', 'Widget x-a', 'Widget x-b']);
    expect(await names({ plural: 'widgets', group: 'example.dev' })).toEqual(['Widget x-a', 'Widget x-b']);
    expect(await names({ plural: 'widgets', group: 'other.dev' })).toEqual([]);
    expect(await names({ plural: 'organizations' })).toEqual(['Organization x-o']);
    expect(await names({ scope: a.uid })).toEqual(['Part x-p', 'Widget x-a']);
    expect(await names({ name: 'x-b' })).toEqual(['Widget x-b']);
    const only = await access(store, [{ scope: a.uid }]);
    expect(await store.reader.searchByUid({ ...everything, access: only }, b.uid)).toEqual([]);
    expect(await store.reader.searchByUid({ ...everything, access: only }, a.uid)).toEqual([a]);
    expect(await store.reader.searchByUid(everything, b.uid)).toEqual([b]);
  });

  guarantee('a controller finds resources of the kinds that name it', async (store) => {
    const spec = JSON.parse(definitionCreation({ group: 'example.dev', kind: 'Widget' }).spec);
    const named = JSON.stringify({ ...spec, allowedStatusControllerIds: ['ctrl'] });
    await store.writer.create(definitionCreation({ group: 'example.dev', kind: 'Widget' }, { spec: named }));
    const widget = await given(store, { name: 'x' });
    await givenBelow(store, [widget], 'Part', { name: 'x' });
    const as = async (id: string | null) =>
      await found(store, 'whole', 'x', { access: await access(store, [], id) });
    expect(await as('ctrl')).toEqual(['Widget x']);
    expect(await as('another')).toEqual([]);
    expect(await as(null)).toEqual([]);
  });

  guarantee('a search of other roles and bindings than the stored ones is refused', async (store) => {
    const stale = { ...(await access(store, [{}])), version: '00000000-0000-4000-8000-000000000000' };
    await expect(found(store, 'whole', 'x', { access: stale })).rejects.toBeInstanceOf(StaleAccess);
    const byUid = store.reader.searchByUid({ ...everything, access: stale }, stale.version);
    await expect(byUid).rejects.toBeInstanceOf(StaleAccess);
  });
}

const other = { group: 'other.dev', kind: 'Widget', ancestors: [] };

function nameOf(found: string): string {
  return found.split(' ')[1] ?? '';
}
