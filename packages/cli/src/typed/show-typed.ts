import { losslessJson } from '../json.ts';
import { labelOf } from '../kinds/target.ts';
import { ageOf } from '../output/age.ts';
import type { Output } from '../output/output.ts';
import { table } from '../output/table.ts';
import { toYaml } from '../output/yaml.ts';
import { isTypedItem, type PlacedItem, type TypedTarget } from './typed-target.ts';

/** Typed resources as a person or a program wants them. */
export function showTyped(
  all: readonly PlacedItem[],
  target: TypedTarget,
  output: Output,
  now: number,
): string {
  const items = all.map(({ item }) => item);
  switch (output) {
    case 'json':
      return losslessJson.pretty(isTypedItem(target) ? items[0] : { items });
    case 'yaml':
      return items.map((item) => toYaml(item)).join('---\n');
    case 'name':
      return all
        .map(({ ancestors, item }) => `${labelOf(target.kind.kind, [...ancestors, item.name])}\n`)
        .join('');
    default:
      return tableOf(all, target, now, output === 'wide');
  }
}

function tableOf(all: readonly PlacedItem[], { kind }: TypedTarget, now: number, wide: boolean): string {
  if (all.length === 0) return `No ${kind.plural} here.\n`;
  const columns = kind.columns.filter((column) => wide || column.wide !== true);
  const narrow = columns.filter((column) => column.wide !== true);
  const rest = columns.filter((column) => column.wide === true);
  const heading = ({ heading: text }: { heading: string }) => text;
  return table(
    [...(kind.inProject ? ['PROJECT'] : []), 'NAME', ...narrow.map(heading), 'AGE', ...rest.map(heading)],
    all.map(({ ancestors, item }) => [
      ...ancestors,
      item.name,
      ...narrow.map(({ of }) => of(item)),
      ageOf(item.created_at, now),
      ...rest.map(({ of }) => of(item)),
    ]),
  );
}
