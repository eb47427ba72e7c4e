import type { BenchCase, Sample } from './bench-case.ts';
import type { Fixture } from './fixture/fixture.ts';
import { median, ratios, spread } from './statistics.ts';

/** The result of a case at a number of connections. Figures are medians over the rounds, unless noted otherwise. */
export interface Result {
  readonly name: string;
  readonly baseline: string | undefined;
  readonly connections: number;
  readonly perSecond: number;
  /** The operations per second of each round. */
  readonly rates: readonly number[];
  readonly spread: number;
  readonly p50: number | undefined;
  readonly p99: number | undefined;
  readonly cpuMicros: number | undefined;
  readonly failures: number;
}

/** The plan of a run. */
export interface Plan {
  readonly cases: readonly BenchCase[];
  readonly connections: readonly number[];
  readonly rounds: number;
  readonly seconds: number;
  /** The length of the load before the first round, for each case, in seconds. */
  readonly warmUp: number;
  readonly showProgress: (text: string) => void;
}

/**
 * Runs every case at each number of connections in each round, so that a disturbance of the machine affects all of them. Every second
 * round runs backwards, so that no case always follows the same other case.
 */
export async function runRounds(fixture: Fixture, plan: Plan): Promise<readonly Result[]> {
  const { cases, connections, rounds, seconds, warmUp, showProgress } = plan;
  const samples = new Map<string, Sample[]>();
  for (const each of cases) {
    showProgress(`warm-up: ${each.name}`);
    await each.run(fixture, { connections: Math.max(...connections), seconds: warmUp });
  }
  for (let round = 1; round <= rounds; round++) {
    for (const count of connections) {
      for (const each of round % 2 === 0 ? [...cases].reverse() : cases) {
        showProgress(`round ${round} of ${rounds}, ${count} connections: ${each.name}`);
        const key = keyOf(each.name, count);
        const sample = await each.run(fixture, { connections: count, seconds });
        samples.set(key, [...(samples.get(key) ?? []), sample]);
      }
    }
  }
  return cases.flatMap((each) =>
    connections.map((count) => summarize(each, count, samples.get(keyOf(each.name, count)) ?? [])),
  );
}

const keyOf = (name: string, connections: number) => `${name} ${connections}`;

/** The rate relative to another case at the same number of connections; undefined if one of them was not measured. */
export function ratioTo(
  { results }: { readonly results: readonly Result[] },
  name: string,
  other: string,
  connections: number,
): number | undefined {
  const [measured, baseline] = [name, other].map((wanted) =>
    results.find((result) => result.name === wanted && result.connections === connections),
  );
  return measured === undefined || baseline === undefined
    ? undefined
    : median(ratios(measured.rates, baseline.rates));
}

function summarize({ name, baseline }: BenchCase, connections: number, samples: readonly Sample[]): Result {
  const medianOf = (value: (sample: Sample) => number | undefined) => {
    const values = samples.map(value).filter((each) => each !== undefined);
    return values.length === 0 ? undefined : median(values);
  };
  const rates = samples.map(({ perSecond }) => perSecond);
  return {
    name,
    baseline,
    connections,
    perSecond: median(rates),
    rates,
    spread: spread(rates),
    p50: medianOf(({ p50 }) => p50),
    p99: medianOf(({ p99 }) => p99),
    cpuMicros: medianOf(({ cpuMicros }) => cpuMicros),
    failures: samples.reduce((sum, { failures }) => sum + failures, 0),
  };
}
