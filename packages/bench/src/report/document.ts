import { mkdirSync, writeFileSync } from 'node:fs';
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

/** A growth run has files of its own. */
const partOf = ({ options }: Report) => (options.growth.length > 0 ? 'growth' : 'results');

/** Writes the results as JSON, with the charts next to them. */
export function writeResults(report: Report, directory: string): void {
  mkdirSync(directory, { recursive: true });
  writeFileSync(join(directory, `${partOf(report)}.json`), `${JSON.stringify(report, null, 2)}\n`);
  for (const { name, svg } of chartsOf(report)) writeFileSync(join(directory, name), svg);
}

/** Writes the page of results, and its charts, into `docs/performance/`. */
export function documentResults(report: Report, docs: string): void {
  const directory = join(docs, 'performance');
  mkdirSync(directory, { recursive: true });
  writeFileSync(join(directory, `${partOf(report)}.md`), printReport(report));
  for (const { name, svg } of chartsOf(report)) writeFileSync(join(directory, name), svg);
}

/** The page of results as Markdown. */
export function printReport(report: Report): string {
  const { machine, options, results, figures, verdicts } = report;
  const { cpu, cores, memoryGb, node, platform, loadBefore, pinning } = machine;
  const grows = options.growth.length > 0;
  const rows = (grows ? options.growth : [options.rows]).map((size) => size.toLocaleString('en'));
  const charts = chartsOf(report).map(({ name, title }) => `![${title}](${name})\n\n`);
  return `# ${grows ? 'Growth of the table' : 'Benchmark results'}

Written by \`pnpm bench ${grows ? '--growth ' : ''}--document\`. [Performance](../performance.md) says how to read it.

${cpu}, ${cores} cores, ${memoryGb} GB, ${platform}, Node.js ${node}, ${rows.join(' to ')} rows, median of
${options.rounds} rounds of ${options.seconds} s. API ${pinning ? 'pinned to one core' : 'not pinned'}. Load of the machine before the run: ${loadBefore}.

${printVerdicts(verdicts)}
${charts.join('')}${printTable(results)}
${printFigures(figures)}`;
}
