import { setTimeout as delay } from 'node:timers/promises';
import type { Fixture } from '../fixture/fixture.ts';
import type { Program } from '../fixture/program.ts';
import { median, spread } from '../statistics.ts';

const leaderTimeoutMs = 60_000;

/** A measured value that does not depend on the number of connections. */
export interface Figure {
  readonly name: string;
  readonly unit: 'ms' | 'µs' | 'MB' | 'rows/s' | 'x';
  readonly value: number;
  /** Why the work was stopped early. The value is then an upper bound for the performance, and meets no target. */
  readonly unfinished?: string;
}

/** Measures figures, once in each round. */
export interface Measure {
  readonly name: string;
  /** Whether it runs in the first round only, because it has rounds of its own. */
  readonly once?: boolean;
  /** Whether it needs a running garbage collector that is the leader. */
  readonly needsCollector?: boolean;
  run(fixture: Fixture): Promise<readonly Figure[]>;
}

/** A figure over all rounds; its value is the median. */
export interface MeasuredFigure extends Figure {
  /** The values of the rounds in which it was measured. */
  readonly values: readonly number[];
  readonly spread: number;
}

/** Runs all measures in every round, so that a disturbance of the machine affects all of them. */
export async function runMeasures(
  fixture: Fixture,
  plan: {
    readonly measures: readonly Measure[];
    readonly rounds: number;
    readonly showProgress: (text: string) => void;
  },
): Promise<readonly MeasuredFigure[]> {
  const { measures, rounds, showProgress } = plan;
  const figures: Figure[] = [];
  for (let round = 1; round <= rounds; round++) {
    const due = measures.filter(({ once }) => round === 1 || !once);
    figures.push(
      ...(await takeMeasures(fixture, due, (text) => showProgress(`round ${round} of ${rounds}: ${text}`))),
    );
  }
  return summarizeFigures(figures);
}

/** Runs each measure once. */
export async function takeMeasures(
  fixture: Fixture,
  measures: readonly Measure[],
  showProgress: (text: string) => void,
): Promise<readonly Figure[]> {
  const figures: Figure[] = [];
  let collector: Program | undefined;
  try {
    for (const measure of measures) {
      showProgress(measure.name);
      if (measure.needsCollector) {
        collector ??= await startLeader(fixture);
      } else {
        await collector?.stop();
        collector = undefined;
      }
      figures.push(...(await measure.run(fixture)));
    }
  } finally {
    await collector?.stop();
  }
  return figures;
}

/** Computes the median of each figure. A figure is unfinished if it was in any round. */
export function summarizeFigures(measured: readonly Figure[]): readonly MeasuredFigure[] {
  const byName = new Map<string, Figure[]>();
  for (const figure of measured) byName.set(figure.name, [...(byName.get(figure.name) ?? []), figure]);
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

/** Starts a collector and waits until it is the leader. If this takes too long, throws an error with the end of its log. */
async function startLeader(fixture: Fixture): Promise<Program> {
  const collector = fixture.startCollector();
  for (const end = performance.now() + leaderTimeoutMs; performance.now() < end; ) {
    const [lease] = await fixture.sql`select 1 from leases where name = 'collector' and expires_at > now()`;
    if (lease !== undefined) return collector;
    await Promise.race([delay(20), collector.failed]);
  }
  await collector.stop();
  throw new Error(
    `the collector did not become the leader within ${leaderTimeoutMs / 1_000} s; its log ends with:\n${collector.lastLines()}`,
  );
}
