import { losslessJson } from '../json.ts';
import { labelOf } from '../kinds/target.ts';
import { ageOf, type Output } from '../output/format.ts';
import { table } from '../output/table.ts';
import { toYaml } from '../output/yaml.ts';
import { documentOfItem, typedApiVersion } from './typed-document.ts';
import type { Column } from './typed-kind.ts';
import { isTypedItem, type LocatedItem, type TypedTarget } from './typed-target.ts';

/** Typed resources in the requested output format. */
export function showTyped(
  all: readonly LocatedItem[],
  target: TypedTarget,
  output: Output,
  now: number,
): string {
  switch (output) {
    case 'json':
      return losslessJson.pretty(typedValue(all, target));
    case 'yaml':
      return all.map((located) => toYaml(documentOfItem(target.kind, located))).join('---\n');
    case 'name':
      return all
        .map(({ ancestors, item }) => `${labelOf(target.kind.kind, [...ancestors, item.name])}\n`)
        .join('');
    default:
      return tableOf(all, target, now, output === 'wide');
  }
}

/** The document of the item, or a list of documents, which `apply` reads as well. */
export function typedValue(all: readonly LocatedItem[], target: TypedTarget): object | undefined {
  const items = all.map((located) => documentOfItem(target.kind, located));
  if (isTypedItem(target)) return items[0];
  return { apiVersion: typedApiVersion, kind: `${target.kind.kind}List`, items };
}

/** Every kind has one: the revision for `If-Match`. */
const revision: Column = { heading: 'REVISION', of: (item) => String(item['revision'] ?? '-'), wide: true };

function tableOf(all: readonly LocatedItem[], { kind }: TypedTarget, now: number, wide: boolean): string {
  if (all.length === 0) return `No ${kind.plural} found.\n`;
  const columns = [...kind.columns, revision].filter((column) => wide || column.wide !== true);
  const narrow = columns.filter((column) => column.wide !== true);
  const extra = columns.filter((column) => column.wide === true);
  const heading = ({ heading: text }: { heading: string }) => text;
  return table(
    [...(kind.inProject ? ['PROJECT'] : []), 'NAME', ...narrow.map(heading), 'AGE', ...extra.map(heading)],
    all.map(({ ancestors, item }) => [
      ...ancestors,
      item.name,
      ...narrow.map(({ of }) => of(item)),
      ageOf(item.created_at, now),
      ...extra.map(({ of }) => of(item)),
    ]),
  );
}
