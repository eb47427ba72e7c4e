import type { BenchCase } from './cases/case.ts';
import type { Load } from './load/sample.ts';
import { measuresOfGrowth } from './measures/index.ts';
import type { Figure } from './measures/measure.ts';
import { type MeasuredFigure, summarizeFigures, takeMeasures } from './measures/run.ts';
import { runRounds } from './rounds.ts';
import type { Stage } from './stage/stage.ts';
import { median, ratios, spread } from './statistics.ts';
import type { Measured } from './targets.ts';

/** A stage whose table has so many rows. */
export interface SizedStage {
  readonly rows: number;
  readonly stage: Stage;
}

/** What the growth part measures. */
export interface GrowthPlan {
  readonly cases: readonly BenchCase[];
  readonly only: readonly string[];
  readonly rounds: number;
  readonly seconds: number;
  readonly warmUp: number;
  readonly say: (text: string) => void;
}

/**
 * Measures on tables of several sizes at 32 connections: the cases whose cost may depend on it, the collector, and memory. Each size has
 * programs and a database of its own, and in each round every case and measure is taken on all of them, one after the other: what disturbs the
 * machine, or goes on behind a table that was just filled, meets all sizes.
 */
export async function measureGrowth(
  stages: readonly [SizedStage, ...SizedStage[]],
  plan: GrowthPlan,
): Promise<Measured> {
  const { cases, only, say, ...rest } = plan;
  const ofTable = cases.filter((each) => each.ofTable);
  const results = await runRounds(stages[0].stage, {
    ...rest,
    cases: ofTable.flatMap((each) => stages.map((sized) => onStage(each, sized))),
    connections: [32],
    say,
  });
  const figures = await takeFigures(stages, plan);
  const names = ofTable.map(({ name }) => name);
  return { results, figures: [...growthOf(names, stages, { results, figures }), ...figures] };
}

const inTable = (name: string, rows: number) => `${name}, ${rows.toLocaleString('en')} rows`;
const onTable = (name: string, rows: number) => `${name}; table of ${rows.toLocaleString('en')}`;

function onStage({ name, floor, run }: BenchCase, { rows, stage }: SizedStage): BenchCase {
  return {
    name: inTable(name, rows),
    ...(floor !== undefined && { floor: inTable(floor, rows) }),
    run: (_, load: Load) => run(stage, load),
  };
}

async function takeFigures(
  stages: readonly SizedStage[],
  { only, rounds, say }: GrowthPlan,
): Promise<readonly MeasuredFigure[]> {
  const measures = measuresOfGrowth.filter(
    ({ name }) => only.length === 0 || only.some((word) => name.includes(word)),
  );
  const taken: Figure[] = [];
  for (let round = 1; round <= rounds; round++) {
    for (const measure of measures) {
      for (const { rows, stage } of round % 2 === 0 ? [...stages].reverse() : stages) {
        const tell = (text: string) => say(`round ${round} of ${rounds}: ${onTable(text, rows)}`);
        const figures = await takeMeasures(stage, [measure], tell);
        taken.push(...figures.map((figure) => ({ ...figure, name: onTable(figure.name, rows) })));
      }
    }
  }
  return summarizeFigures(taken);
}

/** What an operation costs on the largest table in costs on the smallest; rates are turned into costs. */
export function growthOf(
  names: readonly string[],
  sizes: readonly [{ readonly rows: number }, ...{ readonly rows: number }[]],
  { results, figures }: Measured,
): readonly MeasuredFigure[] {
  const [smallest, largest] = [sizes[0].rows, (sizes.at(-1) ?? sizes[0]).rows];
  const rates = names.flatMap((title): MeasuredFigure[] => {
    const first = results.find(({ name }) => name === inTable(title, smallest));
    const last = results.find(({ name }) => name === inTable(title, largest));
    if (first === undefined || last === undefined) return [];
    return [grown(title, ratios(first.rates, last.rates))];
  });
  const suffix = onTable('', smallest);
  const others = figures.flatMap((first): MeasuredFigure[] => {
    if (!first.name.endsWith(suffix)) return [];
    const title = first.name.slice(0, -suffix.length);
    const last = figures.find(({ name }) => name === onTable(title, largest));
    // Times that are ratios to a floor already grow with both, and say nothing.
    if (last === undefined || first.unit === 'x') return [];
    const isRate = first.unit === 'rows/s';
    const costs = isRate ? ratios(first.values, last.values) : ratios(last.values, first.values);
    return [grown(title, costs, [first, last])];
  });
  return [...rates, ...others];
}

function grown(
  name: string,
  values: readonly number[],
  of: readonly { readonly unfinished?: string }[] = [],
): MeasuredFigure {
  const unfinished = of.find((each) => each.unfinished !== undefined)?.unfinished;
  return {
    name: `growth: ${name}`,
    unit: 'x',
    value: median(values),
    values,
    spread: spread(values),
    ...(unfinished !== undefined && { unfinished }),
  };
}
