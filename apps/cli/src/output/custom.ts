import type { GetOutput } from './format.ts';
import { renderTemplate, textOf, valuesAt } from './json-path.ts';
import { table } from './table.ts';

/** A document or a list in the user's template or columns. */
export function rendered(
  output: Extract<GetOutput, object>,
  value: object | undefined,
  { items, headers }: { readonly items: readonly object[]; readonly headers: boolean },
): string {
  if ('template' in output) return renderTemplate(output.template, value);
  const { columns } = output;
  const cell = (item: object, path: string) => valuesAt(item, path).map(textOf).join(',') || '<none>';
  const rows = items.map((item) => columns.map(({ path }) => cell(item, path)));
  const text = table(
    columns.map(({ heading }) => heading),
    rows,
  );
  return headers ? text : text.slice(text.indexOf('\n') + 1);
}
