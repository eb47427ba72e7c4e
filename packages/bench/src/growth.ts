import type { BenchCase } from './cases/case.ts';
import type { MeasuredFigure } from './measures/run.ts';
import { type Result, runRounds } from './rounds.ts';
import { growTo } from './stage/seed.ts';
import type { Stage } from './stage/stage.ts';

/** What the growth part measures, at which sizes of the table. */
export interface GrowthPlan {
  readonly cases: readonly BenchCase[];
  /** Rows, ascending. */
  readonly sizes: readonly number[];
  readonly rounds: number;
  readonly seconds: number;
  readonly say: (text: string) => void;
}

/** The growth part: results at each size, and what an operation costs on the largest table in costs on the smallest. */
export interface Growth {
  readonly results: readonly Result[];
  readonly figures: readonly MeasuredFigure[];
}

/** Measures at 32 connections while the table grows. */
export async function measureGrowth(stage: Stage, plan: GrowthPlan): Promise<Growth> {
  const { cases, sizes, rounds, seconds, say } = plan;
  const perSize: (readonly Result[])[] = [];
  for (const size of sizes) {
    say(`growing to ${size.toLocaleString('en')} rows`);
    await growTo(stage.sql, size);
    perSize.push(await runRounds(stage, { cases, connections: [32], rounds, seconds, say }));
  }
  const figures = cases.flatMap(({ name }): MeasuredFigure[] => {
    const rateIn = (results: readonly Result[] | undefined) => results?.find((each) => each.name === name);
    const [first, last] = [rateIn(perSize[0]), rateIn(perSize.at(-1))];
    if (first === undefined || last === undefined) return [];
    return [
      {
        name: `growth: ${name}`,
        unit: 'x',
        value: first.perSecond / last.perSecond,
        spread: Math.max(first.spread, last.spread),
      },
    ];
  });
  const results = perSize.flatMap((found, index) =>
    found.map((result) => ({
      ...result,
      name: `${result.name}, ${sizes[index]?.toLocaleString('en')} rows`,
    })),
  );
  return { results, figures };
}
