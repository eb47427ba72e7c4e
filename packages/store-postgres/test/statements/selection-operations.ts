import { anyName, type LabelRequirement, type PathStep, type Selection } from '@platform/resources';
import type { Operations } from './operation.ts';
import { levels, uidOf, widget } from './rows.ts';

const partKind = { group: 'example.dev', kind: 'Part' };
const definitionUid = uidOf('6', 1_000);
/** The definition of Parts, at the version that the seed gives it. */
const definition = { uid: definitionUid, version: definitionUid };

const anyWidget: PathStep = { group: 'example.dev', kind: 'Widget', name: anyName };
/** The label of one Part in twenty. */
const web: LabelRequirement = { key: 'tier', operator: 'in', values: ['web'] };

function parts({
  ancestors,
  ...changes
}: Partial<Selection> & { readonly ancestors: readonly PathStep[] }): Selection {
  return { collection: { ...partKind, ancestors }, labels: [], fields: [], scopes: null, ...changes };
}

async function each<T>(items: readonly T[], run: (item: T) => Promise<unknown>): Promise<void> {
  for (const item of items) await run(item);
}

/** Lists that show a part of a collection, and lists across parents. */
export const selectionOperations: Operations = {
  'list across parents': {
    run: ({ reader }, depths) =>
      each([[anyWidget], ...depths.map((depth) => [...levels(depth), anyWidget])], (ancestors) =>
        reader.select(parts({ ancestors }), { limit: 500, after: null }, definition),
      ),
    indexes: ['resources_by_path', 'resources_name_key', 'resources_pkey'],
    pages: 1_200,
    because: '33 levels, and a row a page',
  },
  'list across parents or by labels, with a scope': {
    async run({ access, reader }) {
      const version = await access.version();
      const scopes = [uidOf('1', 3)];
      const everything = { version, entries: [{ scope: null, name: null }] };
      const inScope = { version, entries: scopes.map((scope) => ({ scope, name: null })) };
      await each([[anyWidget], [widget(3)]], (ancestors) =>
        each([[], [web]], (labels) =>
          each([everything, inScope], (guard) => {
            const seen = guard === everything || ancestors[0] !== anyWidget ? null : scopes;
            const selection = parts({ ancestors, labels, scopes: seen, guard });
            return reader.select(selection, { limit: 100, after: null }, definition);
          }),
        ),
      );
    },
    indexes: ['resource_labels_pkey', 'resources_by_path', 'resources_name_key', 'resources_pkey'],
    pages: 100_000,
    because: 'few rows of the collection are in the scope, so 20,000 are looked at: then the page ends',
    sorted: 2_000,
    filtered: 20_000,
  },
  'list selected by labels': {
    run: ({ reader }) =>
      each([[anyWidget], [widget(3)]], (ancestors) =>
        each(
          [[web], [{ ...web, values: ['web', 'api'] }], [web, { ...web, key: 'batch', values: ['b0'] }]],
          (labels) => reader.select(parts({ ancestors, labels }), { limit: 100, after: null }, definition),
        ),
      ),
    indexes: ['resource_labels_pkey', 'resources_name_key', 'resources_pkey'],
    pages: 12_000,
    because:
      'a look-up for each of the entries that a page finds, and 20,000 entries at most to see where it ends',
    sorted: 2_000,
    filtered: 1_000,
  },
  'list selected by labels that must be absent': {
    run: ({ reader }) =>
      each([[anyWidget], [widget(3)]], (ancestors) =>
        reader.select(
          parts({
            ancestors,
            labels: [
              { key: 'tier', operator: 'exists', values: [] },
              { ...web, operator: 'notIn' },
            ],
          }),
          { limit: 100, after: null },
          definition,
        ),
      ),
    indexes: ['resource_labels_pkey', 'resources_name_key', 'resources_pkey'],
    pages: 100_000,
    because: 'none matches, so 20,000 rows are looked at: then the page ends',
    filtered: 20_000,
  },
  'list selected by fields': {
    run: ({ reader }) =>
      each([[anyWidget], [widget(3)]], (ancestors) =>
        each(['metadata.name', 'spec.text'], (field) =>
          reader.select(
            parts({ ancestors, fields: [{ field, equal: true, value: 'none' }] }),
            { limit: 100, after: null },
            definition,
          ),
        ),
      ),
    indexes: ['resources_by_path', 'resources_name_key', 'resources_pkey'],
    pages: 60_000,
    because: 'none matches, so 20,000 rows are looked at: then the page ends',
    filtered: 20_000,
  },
  'list selected by uid or owner': {
    run: ({ reader }) =>
      each(
        [
          ['metadata.uid', uidOf('2', 3)],
          ['metadata.ownerReferences.uid', uidOf('1', 8)],
        ] as const,
        ([field, value]) =>
          reader.select(
            parts({ ancestors: [anyWidget], fields: [{ field, equal: true, value }] }),
            { limit: 100, after: null },
            definition,
          ),
      ),
    indexes: ['resources_owners', 'resources_pkey'],
    pages: 5_000,
    because: 'all 600 dependents of the owner',
  },
  'search by whole name, prefix or uid': {
    async run({ access, reader }) {
      const version = await access.version();
      const grants = [{ group: 'example.dev', plural: 'parts', scope: uidOf('1', 3), name: null }];
      await each([null, { version, grants, controllerId: null }], async (access) => {
        const scope = { labels: [], kind: null, access };
        await each(['whole', 'prefix'] as const, (match) =>
          reader.search(scope, { match, text: 'w3' }, { limit: 100, after: null }),
        );
        await reader.searchByUid(scope, uidOf('2', 3));
      });
    },
    indexes: ['resources_definition_identity', 'resources_pkey', 'resources_search'],
    pages: 100_000,
    because: '20,000 rows of a common prefix are looked at: then the page ends',
    filtered: 20_000,
  },
  'search by part of a name': {
    run: ({ reader }) =>
      each(['none', '3'], (text) =>
        reader.search(
          { labels: [], kind: null, access: null },
          { match: 'part', text },
          { limit: 100, after: null },
        ),
      ),
    indexes: ['resources_pkey', 'resources_search'],
    // Rules of a caller are not compared here, but are part of the statement.
    alternatives: ['resources_definition_identity'],
    pages: 15_000,
    because: '100,000 names in the index, twice: then the page ends',
    filtered: 100_000,
  },
};
