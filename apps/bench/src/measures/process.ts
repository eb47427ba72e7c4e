import { setTimeout as delay } from 'node:timers/promises';
import type { Fixture } from '../fixture/fixture.ts';
import { driveMixed } from '../load/mixed.ts';
import { median } from '../statistics.ts';
import type { Figure, Measure } from './measure.ts';

/** Starts an API process and drives it with mixed load. Returns its resident memory in bytes at rest, after each round, and when it is idle again. */
async function memoryUnderLoad(
  fixture: Fixture,
  plan: { readonly rounds: number; readonly seconds: number; readonly idleSeconds?: number },
): Promise<{ readonly rest: number; readonly rounds: readonly number[]; readonly idle: number }> {
  const api = await fixture.startApi();
  try {
    await delay(1_000);
    const rest = api.residentBytes();
    const rounds: number[] = [];
    for (let round = 1; round <= plan.rounds; round++) {
      await driveMixed(fixture, api, { connections: 32, seconds: plan.seconds });
      rounds.push(api.residentBytes());
    }
    if (plan.idleSeconds !== undefined) await delay(plan.idleSeconds * 1_000);
    return { rest, rounds, idle: api.residentBytes() };
  } finally {
    await api.stop();
  }
}

/** The median memory of the second and of the last third of the rounds. The first third is warm-up, while the heap grows. */
export function drift(rounds: readonly number[]): { readonly before: number; readonly after: number } {
  const third = Math.floor(rounds.length / 3);
  return { before: median(rounds.slice(third, 2 * third)), after: median(rounds.slice(-third)) };
}

/** Resident memory during half a minute of constant mixed load. */
export const memoryOverTime: Measure = {
  name: 'memory over time',
  once: true,
  async run(fixture) {
    // The API looks every ten seconds whether it has become idle: the second look at the latest finds a whole idle interval.
    const plan = { rounds: 12, seconds: 2.5, idleSeconds: 25 };
    const { rest, rounds, idle } = await memoryUnderLoad(fixture, plan);
    const { before, after } = drift(rounds);
    const figures: readonly (readonly [string, number])[] = [
      ['API memory before mixed load', rest],
      ['API memory after 20 s of mixed load', before],
      ['API memory after 30 s of mixed load', after],
      ['API memory after mixed load, idle', idle],
    ];
    return [
      ...figures.map(([name, bytes]): Figure => ({ name, unit: 'MB', value: bytes / 1e6 })),
      {
        name: 'API memory after 30 s of mixed load, relative to 20 s',
        unit: 'x',
        value: after / before,
      },
    ];
  },
};

/** Resident memory of an API process under mixed load, on the current table. */
export const memoryOnTable: Measure = {
  name: 'memory under load',
  async run(fixture) {
    const { rounds } = await memoryUnderLoad(fixture, { rounds: 3, seconds: 2 });
    return [{ name: 'API memory under mixed load', unit: 'MB', value: (rounds.at(-1) ?? Number.NaN) / 1e6 }];
  },
};

/** Starts an API process on a migrated database: the time until it is ready, and its memory at rest. */
export const startUp: Measure = {
  name: 'start-up',
  async run(fixture) {
    const api = await fixture.startApi();
    try {
      const cpuSeconds = api.cpuSeconds();
      await delay(1_000);
      return [
        ...(cpuSeconds === undefined
          ? []
          : [{ name: 'CPU time until ready', unit: 'ms', value: cpuSeconds * 1e3 } as const]),
        { name: 'start to ready', unit: 'ms', value: api.startMs },
        { name: 'API memory at rest', unit: 'MB', value: api.residentBytes() / 1e6 },
      ];
    } finally {
      await api.stop();
    }
  },
};
