import type { BenchCase } from './cases/case.ts';
import type { Sample } from './load/sample.ts';
import type { Stage } from './stage/stage.ts';
import { median, ratios, spread } from './statistics.ts';

/** What the rounds saw of a case at a number of connections; the other figures are medians. */
export interface Result {
  readonly name: string;
  readonly floor: string | undefined;
  readonly connections: number;
  readonly perSecond: number;
  /** Operations a second of each round. */
  readonly rates: readonly number[];
  readonly spread: number;
  readonly p50: number | undefined;
  readonly p99: number | undefined;
  readonly cpuMicros: number | undefined;
  readonly failures: number;
}

/** How the rounds go. */
export interface Plan {
  readonly cases: readonly BenchCase[];
  readonly connections: readonly number[];
  readonly rounds: number;
  readonly seconds: number;
  /** Seconds of load before the first round, for each case. */
  readonly warmUp: number;
  readonly say: (text: string) => void;
}

/**
 * Interleaved: in each round every case once at each number of connections, so that a disturbance meets them all; every second round
 * backwards, so that none always comes after the same one. Cases that are compared are taken one after the other.
 */
export async function runRounds(stage: Stage, plan: Plan): Promise<readonly Result[]> {
  const { cases, connections, rounds, seconds, warmUp, say } = plan;
  const samples = new Map<string, Sample[]>();
  for (const each of cases) {
    say(`warm-up: ${each.name}`);
    await each.run(stage, { connections: Math.max(...connections), seconds: warmUp });
  }
  for (let round = 1; round <= rounds; round++) {
    for (const count of connections) {
      for (const each of round % 2 === 0 ? [...cases].reverse() : cases) {
        say(`round ${round} of ${rounds}, ${count} connections: ${each.name}`);
        const key = keyOf(each.name, count);
        const sample = await each.run(stage, { connections: count, seconds });
        samples.set(key, [...(samples.get(key) ?? []), sample]);
      }
    }
  }
  return cases.flatMap((each) =>
    connections.map((count) => summarize(each, count, samples.get(keyOf(each.name, count)) ?? [])),
  );
}

const keyOf = (name: string, connections: number) => `${name} ${connections}`;

/** The rate in rates of another, at the same number of connections; undefined when one of them was not measured. */
export function ratioTo(
  { results }: { readonly results: readonly Result[] },
  name: string,
  other: string,
  connections: number,
): number | undefined {
  const [measured, floor] = [name, other].map((wanted) =>
    results.find((result) => result.name === wanted && result.connections === connections),
  );
  return measured === undefined || floor === undefined
    ? undefined
    : median(ratios(measured.rates, floor.rates));
}

function summarize({ name, floor }: BenchCase, connections: number, samples: readonly Sample[]): Result {
  const of = (value: (sample: Sample) => number | undefined) => {
    const values = samples.map(value).filter((each) => each !== undefined);
    return values.length === 0 ? undefined : median(values);
  };
  const rates = samples.map(({ perSecond }) => perSecond);
  return {
    name,
    floor,
    connections,
    perSecond: median(rates),
    rates,
    spread: spread(rates),
    p50: of(({ p50 }) => p50),
    p99: of(({ p99 }) => p99),
    cpuMicros: of(({ cpuMicros }) => cpuMicros),
    failures: samples.reduce((sum, { failures }) => sum + failures, 0),
  };
}
