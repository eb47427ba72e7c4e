import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Machine } from '../machine.ts';
import type { MeasuredFigure } from '../measures/run.ts';
import type { Options } from '../options.ts';
import type { Result } from '../rounds.ts';
import type { Verdict } from '../targets.ts';
import { type Bar, barChart } from './charts.ts';
import { printFigures, printTable, printVerdicts, ratioToFloor } from './table.ts';

/** Everything that a run found. */
export interface Report {
  readonly machine: Machine;
  readonly options: Options;
  readonly results: readonly Result[];
  readonly figures: readonly MeasuredFigure[];
  readonly verdicts: readonly Verdict[];
}

/** Writes the results as JSON, and the charts beside them. */
export function writeResults(report: Report, directory: string): void {
  mkdirSync(directory, { recursive: true });
  writeFileSync(join(directory, 'results.json'), `${JSON.stringify(report, null, 2)}\n`);
  for (const [name, svg] of chartsOf(report)) writeFileSync(join(directory, name), svg);
}

const markers = ['<!-- results -->\n', '<!-- end of results -->'] as const;

/** Puts the results between the markers of `docs/performance.md`, and the charts into `docs/performance/`. */
export function documentResults(report: Report, docs: string): void {
  const page = join(docs, 'performance.md');
  const text = readFileSync(page, 'utf8');
  const [start, end] = markers.map((marker) => text.indexOf(marker));
  if (start === undefined || end === undefined || start < 0 || end < start) {
    throw new Error(`${page} lacks the markers of the results`);
  }
  writeFileSync(page, text.slice(0, start) + markers[0] + printReport(report) + text.slice(end));
  const charts = join(docs, 'performance');
  mkdirSync(charts, { recursive: true });
  for (const [name, svg] of chartsOf(report)) writeFileSync(join(charts, name), svg);
}

function printReport({ machine, options, results, figures, verdicts }: Report): string {
  const { cpu, cores, memoryGb, node, platform, loadBefore, pinning } = machine;
  return `
${cpu}, ${cores} cores, ${memoryGb} GB, ${platform}, Node.js ${node}, ${options.rows.toLocaleString('en')} rows, median of
${options.rounds} rounds of ${options.seconds} s. API ${pinning ? 'pinned to one core' : 'not pinned'}. Load of the machine before the run: ${loadBefore}.

${printVerdicts(verdicts)}
![Rates at 32 connections](performance/rates.svg)

![Rates in rates of the floor, 32 connections](performance/ratios.svg)

${printTable(results)}
${printFigures(figures)}
`;
}

function chartsOf({ results }: Report): readonly (readonly [name: string, svg: string])[] {
  const shown = results.filter(({ connections }) => connections === 32);
  const rates = shown.map(({ name, perSecond }): Bar => {
    return { label: name, value: perSecond, text: `${Math.round(perSecond).toLocaleString('en')}/s` };
  });
  const ratios = shown.flatMap((result): Bar[] => {
    const value = ratioToFloor(result, results);
    const { name, floor = '' } = result;
    return value === undefined
      ? []
      : [{ label: name, value, text: `${value.toFixed(2)} of ${floor.replace('floor: ', '')}` }];
  });
  return [
    ['rates.svg', barChart('Operations per second, 32 connections', rates)],
    ['ratios.svg', barChart('In rates of the floor, 32 connections', ratios, 1)],
  ];
}
