import type { BenchCase, Load } from './bench-case.ts';
import type { Fixture } from './fixture/fixture.ts';
import { measuresOfGrowth } from './measures/index.ts';
import { type Figure, type MeasuredFigure, summarizeFigures, takeMeasures } from './measures/measure.ts';
import { runRounds } from './rounds.ts';
import { median, ratios, spread } from './statistics.ts';
import type { Measured } from './targets.ts';

/** A fixture and the number of its rows. */
export interface SizedFixture {
  readonly rows: number;
  readonly fixture: Fixture;
}

/** The plan of a growth run. */
export interface GrowthPlan {
  readonly cases: readonly BenchCase[];
  readonly only: readonly string[];
  readonly rounds: number;
  readonly seconds: number;
  readonly warmUp: number;
  readonly showProgress: (text: string) => void;
}

/**
 * Measures on tables of several sizes at 32 connections: the cases that depend on the table, the collector, and memory. Each size has its own
 * programs and database. Each round runs every case and measure on all sizes in turn, so that a disturbance of the machine affects all.
 */
export async function measureGrowth(
  fixtures: readonly [SizedFixture, ...SizedFixture[]],
  plan: GrowthPlan,
): Promise<Measured> {
  const { cases, only, showProgress, ...rest } = plan;
  const dependsOnTable = cases.filter((each) => each.dependsOnTable);
  const results = await runRounds(fixtures[0].fixture, {
    ...rest,
    cases: dependsOnTable.flatMap((each) => fixtures.map((sized) => onFixture(each, sized))),
    connections: [32],
    showProgress,
  });
  const figures = await takeFigures(fixtures, plan);
  const names = dependsOnTable.map(({ name }) => name);
  return { results, figures: [...growthOf(names, fixtures, { results, figures }), ...figures] };
}

const inTable = (name: string, rows: number) => `${name}, ${rows.toLocaleString('en')} rows`;
const onTable = (name: string, rows: number) => `${name}; table of ${rows.toLocaleString('en')}`;

function onFixture({ name, baseline, run }: BenchCase, { rows, fixture }: SizedFixture): BenchCase {
  return {
    name: inTable(name, rows),
    ...(baseline !== undefined && { baseline: inTable(baseline, rows) }),
    run: (_, load: Load) => run(fixture, load),
  };
}

async function takeFigures(
  fixtures: readonly SizedFixture[],
  { only, rounds, showProgress }: GrowthPlan,
): Promise<readonly MeasuredFigure[]> {
  const measures = measuresOfGrowth.filter(
    ({ name }) => only.length === 0 || only.some((word) => name.includes(word)),
  );
  const measured: Figure[] = [];
  for (let round = 1; round <= rounds; round++) {
    for (const measure of measures) {
      for (const { rows, fixture } of round % 2 === 0 ? [...fixtures].reverse() : fixtures) {
        const showName = (text: string) =>
          showProgress(`round ${round} of ${rounds}: ${onTable(text, rows)}`);
        const figures = await takeMeasures(fixture, [measure], showName);
        measured.push(...figures.map((figure) => ({ ...figure, name: onTable(figure.name, rows) })));
      }
    }
  }
  return summarizeFigures(measured);
}

/** The cost of each operation on the largest table relative to the smallest. Rates are converted to costs. */
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
    return [growthFigure(title, ratios(first.rates, last.rates))];
  });
  const suffix = onTable('', smallest);
  const others = figures.flatMap((first): MeasuredFigure[] => {
    if (!first.name.endsWith(suffix)) return [];
    const title = first.name.slice(0, -suffix.length);
    const last = figures.find(({ name }) => name === onTable(title, largest));
    // Ratios to a baseline say nothing about growth, because both grow.
    if (last === undefined || first.unit === 'x') return [];
    const isRate = first.unit === 'rows/s';
    const costs = isRate ? ratios(first.values, last.values) : ratios(last.values, first.values);
    return [growthFigure(title, costs, [first, last])];
  });
  return [...rates, ...others];
}

function growthFigure(
  name: string,
  values: readonly number[],
  sources: readonly { readonly unfinished?: string }[] = [],
): MeasuredFigure {
  const unfinished = sources.find((each) => each.unfinished !== undefined)?.unfinished;
  return {
    name: `growth: ${name}`,
    unit: 'x',
    value: median(values),
    values,
    spread: spread(values),
    ...(unfinished !== undefined && { unfinished }),
  };
}
