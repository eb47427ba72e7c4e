import type { Resource } from 'platform-service-client';
import { type Kind, type PrinterColumn, usualVersion } from '../kinds/kind.ts';
import type { LocatedResource } from '../kinds/list-resources.ts';
import type { Target } from '../kinds/target.ts';
import { ageOf } from './format.ts';
import { textOf, valuesAt } from './json-path.ts';
import { table } from './table.ts';

/** How a table is drawn. */
export interface TableOptions {
  readonly now: number;
  readonly wide: boolean;
  readonly headers: boolean;
}

interface Column {
  readonly heading: string;
  readonly of: (resource: Resource) => string;
}

/** A table of resources of one kind: with the columns of its definition, where that declares some. */
export function resourceTable(
  all: readonly LocatedResource[],
  { kind, version, within, uid }: Pick<Target, 'kind' | 'version' | 'within' | 'uid'>,
  { now, wide, headers }: TableOptions,
): string {
  if (all.length === 0) return headers ? `No ${kind.plural} found.\n` : '';
  const shown = version ?? usualVersion(kind);
  const declared =
    kind.versions.find(({ name }) => name === shown)?.additionalPrinterColumns ?? columnsOf(kind);
  const narrow = declared.filter(({ priority = 0 }) => wide || priority === 0);
  const columns: Column[] = [
    { heading: 'NAME', of: ({ metadata }) => metadata.name },
    ...narrow.map((column) => declaredColumn(column, now)),
    { heading: 'STATE', of: ({ metadata }) => stateOf(metadata, now) },
    ...(declared.length === 0 ? undeclared : []),
    ...(declared.some(({ name }) => name.toUpperCase() === 'AGE')
      ? []
      : [{ heading: 'AGE', of: ({ metadata }: Resource) => ageOf(metadata.creationTimestamp, now) }]),
    ...(wide ? details : []),
  ];
  const ancestors = uid === undefined ? within.map(({ kind: name }) => name.toUpperCase()) : [];
  const rows = all.map((each) => [
    ...(uid === undefined ? each.ancestors : []),
    ...columns.map(({ of }) => of(each.resource)),
  ]);
  const text = table([...ancestors, ...columns.map(({ heading }) => heading)], rows);
  return headers ? text : text.slice(text.indexOf('\n') + 1);
}

/** The columns of built-in kinds, which have no definition that could declare any. */
function columnsOf({ builtIn, kind }: Kind): readonly PrinterColumn[] {
  return (builtIn ? builtInColumns[kind] : undefined) ?? [];
}

const textColumn = (name: string, jsonPath: string): PrinterColumn => ({ name, type: 'string', jsonPath });

const builtInColumns: Readonly<Record<string, readonly PrinterColumn[]>> = {
  ResourceDefinition: [
    textColumn('Kind', '.spec.kind'),
    textColumn('Group', '.spec.group'),
    textColumn('Versions', '.spec.versions[*].name'),
  ],
  RoleBinding: [textColumn('Role', '.spec.roleRef.name'), textColumn('Subjects', '.spec.subjects[*].name')],
};

const undeclared: readonly Column[] = [
  { heading: 'STATUS FROM', of: ({ status }) => Object.keys(status.controllers).join(', ') || '-' },
  { heading: 'REVISION', of: ({ metadata }) => String(metadata.revision) },
];

const details: readonly Column[] = [
  { heading: 'GENERATION', of: ({ metadata }) => String(metadata.generation) },
  { heading: 'FINALIZERS', of: ({ metadata }) => metadata.finalizers.join(', ') || '-' },
  { heading: 'UID', of: ({ metadata }) => metadata.uid },
];

function declaredColumn({ name, type, jsonPath }: PrinterColumn, now: number): Column {
  return {
    heading: name.toUpperCase(),
    of(resource) {
      const text = valuesAt(resource, jsonPath).map(textOf).join(',');
      const isTime = type === 'date' && !Number.isNaN(Date.parse(text));
      return (isTime ? ageOf(text, now) : text) || '-';
    },
  };
}

function stateOf({ deletionTimestamp }: Resource['metadata'], now: number): string {
  return deletionTimestamp === undefined ? 'live' : `deleting ${ageOf(deletionTimestamp, now)}`;
}

/** Orders resources by the first value at a JSONPath: numbers by size, everything else as text; those without one come first. */
export function sortedBy(all: readonly LocatedResource[], path: string): readonly LocatedResource[] {
  const keyed = all.map((located) => ({ located, key: valuesAt(located.resource, path)[0] }));
  return keyed.sort((a, b) => compare(a.key, b.key)).map(({ located }) => located);
}

function compare(a: unknown, b: unknown): number {
  if (a === undefined || b === undefined) return Number(a !== undefined) - Number(b !== undefined);
  const [one, other] = [Number(a), Number(b)];
  const isText = typeof a === 'string' || typeof b === 'string';
  if (!isText && !Number.isNaN(one) && !Number.isNaN(other)) return one - other;
  const [first, second] = [textOf(a), textOf(b)];
  return first < second ? -1 : Number(first > second);
}
