import { anyName, type LabelRequirement, type PathStep, type Selection } from '@platform/resources';
import type { Operations } from './operation.ts';
import { levels, uidOf, widget } from './rows.ts';

const partKind = { group: 'example.dev', kind: 'Part' };
const definitionUid = uidOf('6', 1_000);
/** The definition of Parts, at the version that the seed gives it. */
const definition = { uid: definitionUid, version: definitionUid };

const anyWidget: PathStep = { group: 'example.dev', kind: 'Widget', name: anyName };
/** What one Part in twenty has. */
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
  'list selected by what labels are not': {
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
};
