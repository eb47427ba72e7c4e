import type { MeasuredFigure } from '../measures/measure.ts';
import { type Result, ratioTo } from '../rounds.ts';
import type { TargetResult } from '../targets.ts';

const columns = [
  'case',
  'conn.',
  'per second',
  'spread',
  'p50 ms',
  'p99 ms',
  'CPU µs',
  '× baseline',
] as const;

/** The table of ratios, as Markdown that also reads well in a terminal. */
export function printTable(results: readonly Result[]): string {
  const rows = results.map((result) => [
    result.failures > 0 ? `${result.name} (${result.failures} failed)` : result.name,
    String(result.connections),
    Math.round(result.perSecond).toLocaleString('en'),
    formatPercent(result.spread),
    formatNumber(result.p50, 2),
    formatNumber(result.p99, 1),
    formatNumber(result.cpuMicros, 0),
    formatNumber(ratioToBaseline(result, results), 2),
  ]);
  return markdownTable(columns, rows);
}

/** The rate relative to the baseline, at the same number of connections. */
export function ratioToBaseline(result: Result, results: readonly Result[]): number | undefined {
  const { name, baseline, connections } = result;
  return baseline === undefined ? undefined : ratioTo({ results }, name, baseline, connections);
}

/** Aligns the first column to the left, the others to the right. */
function markdownTable(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const widths = head.map((title, column) =>
    Math.max(title.length, ...rows.map((row) => row[column]?.length ?? 0)),
  );
  const line = (cells: readonly string[]) =>
    `| ${cells.map((cell, column) => (column === 0 ? cell.padEnd(widths[column] ?? 0) : cell.padStart(widths[column] ?? 0))).join(' | ')} |\n`;
  const rule = `|${widths.map((width, column) => (column === 0 ? `-${'-'.repeat(width)}-` : `-${'-'.repeat(width)}:`)).join('|')}|\n`;
  return line(head) + rule + rows.map(line).join('');
}

const withNote = (text: string, unfinished: string | undefined) =>
  unfinished === undefined ? text : `${text} (${unfinished})`;

// A case without any successful response has no CPU time per operation and no spread.
const formatNumber = (value: number | undefined, digits: number) =>
  value === undefined || !Number.isFinite(value) ? '' : value.toFixed(digits);

const formatPercent = (fraction: number) =>
  Number.isFinite(fraction) ? `${Math.round(fraction * 100)} %` : '';

/** The table of figures that do not depend on the number of connections. */
export function printFigures(figures: readonly MeasuredFigure[]): string {
  return markdownTable(
    ['figure', 'value', 'unit', 'spread'],
    figures.map(({ name, value, unit, spread, unfinished }) => [
      withNote(name, unfinished),
      value >= 100 ? Math.round(value).toLocaleString('en') : value.toFixed(unit === 'x' ? 2 : 1),
      unit,
      formatPercent(spread),
    ]),
  );
}

/** The table of targets with the results of this run. */
export function printTargets(targetResults: readonly TargetResult[]): string {
  return markdownTable(
    ['target', 'wanted', 'found', 'met'],
    targetResults.map(({ text, wanted, found, met, unfinished }) => [
      withNote(text, unfinished),
      wanted,
      found >= 100 ? String(Math.round(found)) : found.toFixed(2),
      met ? 'yes' : 'no',
    ]),
  );
}
