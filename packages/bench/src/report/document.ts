import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Machine } from '../machine.ts';
import type { MeasuredFigure } from '../measures/run.ts';
import type { Options } from '../options.ts';
import type { Result } from '../rounds.ts';
import type { Verdict } from '../targets.ts';
import { chartsOf } from './drawn.ts';
import { printFigures, printTable, printVerdicts } from './table.ts';

/** Everything that a run found. */
export interface Report {
  readonly machine: Machine;
  readonly options: Options;
  readonly results: readonly Result[];
  readonly figures: readonly MeasuredFigure[];
  readonly verdicts: readonly Verdict[];
}

/** The growth part has files and a place in the documentation of its own. */
const partOf = ({ options }: Report) => (options.growth.length > 0 ? 'growth' : 'results');

/** Writes the results as JSON, and the charts beside them. */
export function writeResults(report: Report, directory: string): void {
  mkdirSync(directory, { recursive: true });
  writeFileSync(join(directory, `${partOf(report)}.json`), `${JSON.stringify(report, null, 2)}\n`);
  for (const { name, svg } of chartsOf(report)) writeFileSync(join(directory, name), svg);
}

/** Puts the results between their markers of `docs/performance.md`, and the charts into `docs/performance/`. */
export function documentResults(report: Report, docs: string): void {
  const page = join(docs, 'performance.md');
  writeFileSync(page, replaceBetween(readFileSync(page, 'utf8'), partOf(report), printReport(report)));
  const charts = join(docs, 'performance');
  mkdirSync(charts, { recursive: true });
  for (const { name, svg } of chartsOf(report)) writeFileSync(join(charts, name), svg);
}

/** The page with other text between `<!-- part -->` and `<!-- end of part -->`. Throws when it lacks them. */
export function replaceBetween(page: string, part: string, text: string): string {
  const opening = `<!-- ${part} -->\n`;
  const [start, end] = [page.indexOf(opening), page.indexOf(`<!-- end of ${part} -->`)];
  if (start < 0 || end < start) throw new Error(`the page lacks the markers of the ${part}`);
  return page.slice(0, start) + opening + text + page.slice(end);
}

function printReport(report: Report): string {
  const { machine, options, results, figures, verdicts } = report;
  const { cpu, cores, memoryGb, node, platform, loadBefore, pinning } = machine;
  const rows = (options.growth.length > 0 ? options.growth : [options.rows]).map((size) =>
    size.toLocaleString('en'),
  );
  const charts = chartsOf(report).map(({ name, title }) => `![${title}](performance/${name})\n\n`);
  return `
${cpu}, ${cores} cores, ${memoryGb} GB, ${platform}, Node.js ${node}, ${rows.join(' to ')} rows, median of
${options.rounds} rounds of ${options.seconds} s. API ${pinning ? 'pinned to one core' : 'not pinned'}. Load of the machine before the run: ${loadBefore}.

${printVerdicts(verdicts)}
${charts.join('')}${printTable(results)}
${printFigures(figures)}
`;
}
