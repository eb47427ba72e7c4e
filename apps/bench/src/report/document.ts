import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Machine } from '../machine.ts';
import type { MeasuredFigure } from '../measures/measure.ts';
import type { Options } from '../options.ts';
import type { Result } from '../rounds.ts';
import type { TargetResult } from '../targets.ts';
import { chartsOf } from './charts.ts';
import { printFigures, printTable, printTargets } from './table.ts';

/** The complete result of a run. */
export interface Report {
  readonly machine: Machine;
  readonly options: Options;
  readonly results: readonly Result[];
  readonly figures: readonly MeasuredFigure[];
  readonly targetResults: readonly TargetResult[];
}

/** The base name of the files; a growth run has its own. */
const baseNameOf = ({ options }: Report) => (options.growth.length > 0 ? 'growth' : 'results');

/** Writes the results as JSON, with the charts next to them. */
export function writeResults(report: Report, directory: string): void {
  mkdirSync(directory, { recursive: true });
  writeFileSync(join(directory, `${baseNameOf(report)}.json`), `${JSON.stringify(report, null, 2)}\n`);
  for (const { name, svg } of chartsOf(report)) writeFileSync(join(directory, name), svg);
}

/** Writes the page of results, and its charts, into `docs/performance/`. */
export function documentResults(report: Report, docs: string): void {
  const directory = join(docs, 'performance');
  mkdirSync(directory, { recursive: true });
  writeFileSync(join(directory, `${baseNameOf(report)}.md`), printReport(report));
  for (const { name, svg } of chartsOf(report)) writeFileSync(join(directory, name), svg);
}

/** The page of results as Markdown. */
function printReport(report: Report): string {
  const { machine, options, results, figures, targetResults } = report;
  const { cpu, cores, memoryGb, node, platform, loadBefore, pinning } = machine;
  const grows = options.growth.length > 0;
  const rows = (grows ? options.growth : [options.rows]).map((size) => size.toLocaleString('en'));
  const charts = chartsOf(report).map(({ name, title }) => `![${title}](${name})\n\n`);
  return `# ${grows ? 'Growth of the table' : 'Benchmark results'}

Written by \`pnpm bench ${grows ? '--growth ' : ''}--document\`. [Performance](../performance.md) explains the figures.

${cpu}, ${cores} cores, ${memoryGb} GB, ${platform}, Node.js ${node}, ${rows.join(' to ')} rows, median of
${options.rounds} rounds of ${options.seconds} s. API ${pinning ? 'pinned to one core' : 'not pinned'}. Load average before the run: ${loadBefore}.

${printTargets(targetResults)}
${charts.join('')}${printTable(results)}
${printFigures(figures)}`;
}
