import type { Resource } from '@platform/resources';
import { type Column, columns, members } from './columns.ts';
import { causeTimeOf, isCascading } from './pending-cascades.ts';

/**
 * A resource as the driver returns it: one text of its scalars and one for each document; all null when an outer join did not find it.
 * Few columns, because the driver spends time on each column of each row.
 */
export type ResourceRow = readonly (string | null)[];

// JSON text has no raw control characters (RFC 8259, section 7), and neither have names.
const separator = '\u0001';
const separatorLiteral = "U&'\\0001'";

type Member = keyof Resource;
const scalars = members.filter((member) => !columns[member].document);
const documents = members.filter((member) => columns[member].document);
const decoders = scalars.map((member) => columns[member].decode as Column<unknown>['decode']);

/** The columns in which a resource is returned, in their order: scalars first. */
export const resultColumns: readonly string[] = ['scalars', ...documents];

/** How many columns a resource takes in a result row. */
export const resourceWidth = resultColumns.length;

/** Every stored column: what a query inside a statement selects or returns for {@link columnsOf}. */
export function storedColumnsOf(alias: string): string {
  return members.map((member) => `${alias}.${columns[member].name}`).join(', ');
}

/** The columns of a {@link ResourceRow}, of the row of `resources` that the statement calls `alias`, as readers see it. */
export function columnsOf(alias: string): string {
  return foundColumns(alias, seenScalarsOf(alias));
}

/** As {@link columnsOf}, with `{}` for the documents: they may have a megabyte each, and are not read. */
export function scalarColumnsOf(alias: string): string {
  return foundColumns(alias, seenScalarsOf(alias), withoutDocument);
}

/** {@link columnsOf} for an entry of the change log, which no later cascade changes. */
export function loggedColumnsOf(alias: string): string {
  return foundColumns(alias, scalarsOf(alias));
}

/** {@link scalarColumnsOf} for an entry of the change log. */
export function loggedScalarsOf(alias: string): string {
  return foundColumns(alias, scalarsOf(alias), withoutDocument);
}

const withoutDocument = () => `'{}'`;

function foundColumns(
  alias: string,
  scalarsText: string,
  documentOf = (member: Member) => selectOf(member, alias),
): string {
  const found = `case when ${alias}.uid is not null then ${scalarsText} end`;
  return [found, ...documents.map(documentOf)].join(', ');
}

/** SQL for the resources of an ordered query as one row: how many there are, and each column of {@link columnsOf} joined over all. */
export function joinedColumnsOf(alias: string): string {
  const each = [seenScalarsOf(alias), ...documents.map((member) => selectOf(member, alias))];
  return ['count(*)', ...each.map(joinedTextsOf)].join(', ');
}

/** SQL for the values of an expression over all rows, joined in the order of the rows. */
export function joinedTextsOf(expression: string): string {
  return `string_agg((${expression})::text, ${separatorLiteral})`;
}

/** The values of {@link joinedTextsOf}. */
export function toTexts(joined: string | null): readonly string[] {
  return joined === null ? [] : joined.split(separator);
}

/** The resource in the columns of a result row from `offset` on, or null when the join found none. */
export function maybeResource(row: readonly unknown[], offset = 0): Resource | null {
  return row[offset] === null ? null : toResource(row, offset);
}

/** The resource in the columns of a result row from `offset` on. */
export function toResource(row: readonly unknown[], offset = 0): Resource {
  const texts = row.slice(offset, offset + resourceWidth) as string[];
  return resourceOf(toTexts(texts[0] as string), 0, (document) => texts[1 + document] as string);
}

/** The first `limit` resources of a result row of {@link joinedColumnsOf}. */
export function toResources([count, ...joined]: readonly unknown[], limit: number): readonly Resource[] {
  if (count === 0) return [];
  const [values = [], ...texts] = (joined as ResourceRow).map(toTexts);
  return Array.from({ length: Math.min(count as number, limit) }, (_, index) =>
    resourceOf(values, index * scalars.length, (document) => texts[document]?.[index] as string),
  );
}

function scalarsOf(alias: string, seen: Partial<Record<Member, string>> = {}): string {
  const values = scalars.map((member) => {
    const stored = seen[member];
    return stored === undefined ? selectOf(member, alias) : columns[member].select(`(${stored})`);
  });
  return `concat_ws(${separatorLiteral}, ${values.join(', ')})`;
}

/** One test of all of them, because every row that is read needs it. */
function seenScalarsOf(alias: string): string {
  const tombstone = { deletionTimestamp: causeTimeOf(alias), revision: `${alias}.revision + 1` };
  return `case when ${isCascading(alias)} then ${scalarsOf(alias, tombstone)} else ${scalarsOf(alias)} end`;
}

function selectOf(member: Member, alias: string): string {
  return columns[member].select(`${alias}.${columns[member].name}`);
}

/** The resource whose scalars are in `values` from `at` on. */
function resourceOf(
  values: readonly string[],
  at: number,
  documentAt: (document: number) => string,
): Resource {
  const resource: Partial<Record<Member, unknown>> = {};
  scalars.forEach((member, index) => {
    resource[member] = decoders[index]?.(values[at + index] as string);
  });
  documents.forEach((member, index) => {
    resource[member] = documentAt(index);
  });
  return resource as Resource;
}
