import { setTimeout as delay } from 'node:timers/promises';
import type { Program } from '../stage/program.ts';
import type { Stage } from '../stage/stage.ts';
import { median, spread } from '../statistics.ts';
import type { Figure, Measure } from './measure.ts';

/** A figure over all rounds: the median. */
export interface MeasuredFigure extends Figure {
  /** Of each round in which it was measured. */
  readonly values: readonly number[];
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
  const { measures, rounds, say } = plan;
  const taken: Figure[] = [];
  for (let round = 1; round <= rounds; round++) {
    const due = measures.filter(({ once }) => round === 1 || !once);
    taken.push(...(await takeMeasures(stage, due, (text) => say(`round ${round} of ${rounds}: ${text}`))));
  }
  return summarizeFigures(taken);
}

/** One round: each measure once. */
export async function takeMeasures(
  stage: Stage,
  measures: readonly Measure[],
  say: (text: string) => void,
): Promise<readonly Figure[]> {
  const taken: Figure[] = [];
  let collector: Program | undefined;
  try {
    for (const measure of measures) {
      say(measure.name);
      if (measure.collects) {
        collector ??= await leadingCollector(stage);
      } else {
        await collector?.stop();
        collector = undefined;
      }
      taken.push(...(await measure.run(stage)));
    }
  } finally {
    await collector?.stop();
  }
  return taken;
}

/** The median of each figure; one that was given up in any round stays so. */
export function summarizeFigures(taken: readonly Figure[]): readonly MeasuredFigure[] {
  const byName = new Map<string, Figure[]>();
  for (const figure of taken) byName.set(figure.name, [...(byName.get(figure.name) ?? []), figure]);
  return [...byName.values()].flatMap((figures) => {
    const values = figures.map(({ value }) => value);
    const [first] = figures;
    const unfinished = figures.find((figure) => figure.unfinished !== undefined)?.unfinished;
    return first === undefined
      ? []
      : [
          {
            ...first,
            value: median(values),
            values,
            spread: spread(values),
            ...(unfinished !== undefined && { unfinished }),
          },
        ];
  });
}

const patienceMs = 60_000;

/** Starts a collector and waits until it leads. Throws when it does not within a minute, with the end of its log. */
async function leadingCollector(stage: Stage): Promise<Program> {
  const collector = stage.startCollector();
  for (const end = performance.now() + patienceMs; performance.now() < end; ) {
    const [led] = await stage.sql`select 1 from leases where name = 'collector' and expires_at > now()`;
    if (led !== undefined) return collector;
    await Promise.race([delay(20), collector.failed]);
  }
  await collector.stop();
  throw new Error(
    `the collector did not lead within ${patienceMs / 1_000} s; its log ends with:\n${collector.lastLines()}`,
  );
}
