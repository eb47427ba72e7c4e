import type { Stage } from '../stage/stage.ts';
import { median, spread } from '../statistics.ts';
import type { Figure, Measure } from './measure.ts';

/** A figure over all rounds: the median. */
export interface MeasuredFigure extends Figure {
  readonly spread: number;
}

/** Interleaved, as the cases are. */
export async function runMeasures(
  stage: Stage,
  plan: {
    readonly measures: readonly Measure[];
    readonly rounds: number;
    readonly say: (text: string) => void;
  },
): Promise<readonly MeasuredFigure[]> {
  const taken = new Map<string, Figure[]>();
  for (let round = 1; round <= plan.rounds; round++) {
    for (const measure of plan.measures) {
      plan.say(`round ${round} of ${plan.rounds}: ${measure.name}`);
      for (const figure of await measure.run(stage)) {
        taken.set(figure.name, [...(taken.get(figure.name) ?? []), figure]);
      }
    }
  }
  return [...taken.values()].flatMap((figures) => {
    const values = figures.map(({ value }) => value);
    const [first] = figures;
    return first === undefined ? [] : [{ ...first, value: median(values), spread: spread(values) }];
  });
}
