import type { BenchCase } from './cases/case.ts';
import { measuresOfGrowth } from './measures/index.ts';
import { type MeasuredFigure, runMeasures } from './measures/run.ts';
import { type Result, runRounds } from './rounds.ts';
import { growTo } from './stage/seed.ts';
import type { Stage } from './stage/stage.ts';
import type { Measured } from './targets.ts';

/** What the growth part measures, at which sizes of the table. */
export interface GrowthPlan {
  readonly cases: readonly BenchCase[];
  readonly only: readonly string[];
  /** Rows, ascending. */
  readonly sizes: readonly number[];
  readonly rounds: number;
  readonly seconds: number;
  readonly warmUp: number;
  readonly say: (text: string) => void;
}

/** What was found on a table of so many rows. */
export interface AtSize extends Measured {
  readonly rows: number;
}

/** Measures at 32 connections while the table grows: the cases whose cost may depend on it, the collector, and memory. */
export async function measureGrowth(stage: Stage, plan: GrowthPlan): Promise<Measured> {
  const { only, sizes, say, ...rest } = plan;
  const cases = plan.cases.filter(({ ofTable }) => ofTable);
  const measures = measuresOfGrowth.filter(
    ({ name }) => only.length === 0 || only.some((word) => name.includes(word)),
  );
  const found: AtSize[] = [];
  for (const rows of sizes) {
    const title = `${rows.toLocaleString('en')} rows`;
    const tell = (text: string) => say(`${title}: ${text}`);
    tell('making them');
    await growTo(stage.sql, rows);
    const results = await runRounds(stage, { ...rest, cases, connections: [32], say: tell });
    found.push({ rows, results, figures: await runMeasures(stage, { ...rest, measures, say: tell }) });
  }
  return { results: namedBySize(found), figures: growthOf(found) };
}

function namedBySize(found: readonly AtSize[]): readonly Result[] {
  return found.flatMap(({ rows, results }) =>
    results.map((result) => {
      const named = (name: string) => `${name}, ${rows.toLocaleString('en')} rows`;
      const { name, floor } = result;
      return { ...result, name: named(name), floor: floor === undefined ? undefined : named(floor) };
    }),
  );
}

/** What an operation costs on the largest table in costs on the smallest, and every figure at every size. */
export function growthOf(found: readonly AtSize[]): readonly MeasuredFigure[] {
  const [smallest, largest] = [found[0], found.at(-1)];
  if (smallest === undefined || largest === undefined) return [];
  const rates = smallest.results.flatMap((first): MeasuredFigure[] => {
    const last = largest.results.find(({ name }) => name === first.name);
    return last === undefined ? [] : [grown(first.name, first.perSecond / last.perSecond, [first, last])];
  });
  const figures = smallest.figures.flatMap((first): MeasuredFigure[] => {
    const last = largest.figures.find(({ name }) => name === first.name);
    // Times that are ratios to a floor already grow with both, and say nothing.
    if (last === undefined || first.unit === 'x') return [];
    const [small, large] = [first.value, last.value];
    return [grown(first.name, first.unit === 'rows/s' ? small / large : large / small, [first, last])];
  });
  const atSizes = found.flatMap(({ rows, figures }) =>
    figures.map((figure) => ({ ...figure, name: `${figure.name}; table of ${rows.toLocaleString('en')}` })),
  );
  return [...rates, ...figures, ...atSizes];
}

function grown(
  name: string,
  value: number,
  of: readonly { readonly spread: number; readonly unfinished?: string }[],
): MeasuredFigure {
  const unfinished = of.find((each) => each.unfinished !== undefined)?.unfinished;
  return {
    name: `growth: ${name}`,
    unit: 'x',
    value,
    spread: Math.max(...of.map((each) => each.spread)),
    ...(unfinished !== undefined && { unfinished }),
  };
}
