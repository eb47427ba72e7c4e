import type { MeasuredFigure } from '../measures/run.ts';
import { type Result, ratioTo } from '../rounds.ts';
import type { Verdict } from '../targets.ts';

const columns = ['case', 'conn.', 'per second', 'spread', 'p50 ms', 'p99 ms', 'CPU µs', 'of floor'] as const;

/** The table of ratios, as Markdown that also reads well in a terminal. */
export function printTable(results: readonly Result[]): string {
  const rows = results.map((result) => [
    result.failures > 0 ? `${result.name} (${result.failures} failed)` : result.name,
    String(result.connections),
    Math.round(result.perSecond).toLocaleString('en'),
    percent(result.spread),
    shown(result.p50, 2),
    shown(result.p99, 1),
    shown(result.cpuMicros, 0),
    shown(ratioToFloor(result, results), 2),
  ]);
  return markdownTable(columns, rows);
}

/** The rate in rates of its floor, at the same number of connections. */
export function ratioToFloor(result: Result, results: readonly Result[]): number | undefined {
  const { name, floor, connections } = result;
  return floor === undefined ? undefined : ratioTo({ results }, name, floor, connections);
}

/** Aligned: the first column to the left, the others to the right. */
export function markdownTable(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const widths = head.map((title, column) =>
    Math.max(title.length, ...rows.map((row) => row[column]?.length ?? 0)),
  );
  const line = (cells: readonly string[]) =>
    `| ${cells.map((cell, column) => (column === 0 ? cell.padEnd(widths[column] ?? 0) : cell.padStart(widths[column] ?? 0))).join(' | ')} |\n`;
  const rule = `|${widths.map((width, column) => (column === 0 ? `-${'-'.repeat(width)}-` : `-${'-'.repeat(width)}:`)).join('|')}|\n`;
  return line(head) + rule + rows.map(line).join('');
}

const marked = (text: string, unfinished: string | undefined) =>
  unfinished === undefined ? text : `${text} (${unfinished})`;

// Of a case that nobody answered there is no CPU time for each operation, and no spread.
const shown = (value: number | undefined, digits: number) =>
  value === undefined || !Number.isFinite(value) ? '' : value.toFixed(digits);

const percent = (part: number) => (Number.isFinite(part) ? `${Math.round(part * 100)} %` : '');

/** The figures that do not depend on connections. */
export function printFigures(figures: readonly MeasuredFigure[]): string {
  return markdownTable(
    ['figure', 'value', 'unit', 'spread'],
    figures.map(({ name, value, unit, spread, unfinished }) => [
      marked(name, unfinished),
      value >= 100 ? Math.round(value).toLocaleString('en') : value.toFixed(unit === 'x' ? 2 : 1),
      unit,
      percent(spread),
    ]),
  );
}

/** The targets and what this run says to them. */
export function printVerdicts(verdicts: readonly Verdict[]): string {
  return markdownTable(
    ['target', 'wanted', 'found', 'met'],
    verdicts.map(({ text, wanted, found, met, unfinished }) => [
      marked(text, unfinished),
      wanted,
      found >= 100 ? String(Math.round(found)) : found.toFixed(2),
      met ? 'yes' : 'no',
    ]),
  );
}
