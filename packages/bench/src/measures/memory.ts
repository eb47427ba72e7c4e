import { setTimeout as delay } from 'node:timers/promises';
import { driveMixed } from '../load/mixed.ts';
import type { Stage } from '../stage/stage.ts';
import { median } from '../statistics.ts';
import type { Figure, Measure } from './measure.ts';

/** A process of its own under constant mixed load: resident memory after each of the turns, in bytes, the first one at rest. */
export async function memoryUnderLoad(
  stage: Stage,
  plan: { readonly turns: number; readonly seconds: number },
): Promise<{ readonly rest: number; readonly turns: readonly number[] }> {
  const api = await stage.startApi();
  try {
    await delay(1_000);
    const rest = api.residentBytes();
    const turns: number[] = [];
    for (let turn = 1; turn <= plan.turns; turn++) {
      await driveMixed(stage, api, { connections: 32, seconds: plan.seconds });
      turns.push(api.residentBytes());
    }
    return { rest, turns };
  } finally {
    await api.stop();
  }
}

/** The first third is warm-up: the heap grows to what the load needs. Then the median of the last turns in medians of the first ones. */
export function drift(turns: readonly number[]): { readonly before: number; readonly after: number } {
  const third = Math.floor(turns.length / 3);
  return { before: median(turns.slice(third, 2 * third)), after: median(turns.slice(-third)) };
}

/** Half a minute of constant mixed load, a figure of memory each 2.5 s. */
export const memoryOverTime: Measure = {
  name: 'memory over time',
  once: true,
  async run(stage) {
    const { rest, turns } = await memoryUnderLoad(stage, { turns: 12, seconds: 2.5 });
    const { before, after } = drift(turns);
    const figures: readonly (readonly [string, number])[] = [
      ['API memory before mixed load', rest],
      ['API memory after 20 s of mixed load', before],
      ['API memory after 30 s of mixed load', after],
    ];
    return [
      ...figures.map(([name, bytes]): Figure => ({ name, unit: 'MB', value: bytes / 1e6 })),
      {
        name: 'API memory after 30 s of mixed load, in times of that after 20 s',
        unit: 'x',
        value: after / before,
      },
    ];
  },
};

/** What a process of its own takes under mixed load, on the table as it is. */
export const memoryOnTable: Measure = {
  name: 'memory under load',
  async run(stage) {
    const { turns } = await memoryUnderLoad(stage, { turns: 3, seconds: 2 });
    return [{ name: 'API memory under mixed load', unit: 'MB', value: (turns.at(-1) ?? Number.NaN) / 1e6 }];
  },
};
