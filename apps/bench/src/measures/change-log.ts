import type { BenchCase } from '../bench-case.ts';
import { create } from '../cases/create-and-delete.ts';
import { replace, replaceStatus } from '../cases/writes.ts';
import type { Fixture } from '../fixture/fixture.ts';
import { kindAt } from '../fixture/kinds.ts';
import { median } from '../statistics.ts';
import type { Figure, Measure } from './measure.ts';

const connections = 32;
const triggers = [
  'resources_created_is_logged',
  'resources_changed_is_logged',
  'resources_removed_is_logged',
];

/** The writes whose rates are compared. */
const writes: readonly BenchCase[] = [create(kindAt(1), 'with schema', false), replace, replaceStatus];

/** The name of the figure of a write. */
export const rateWithLog = ({ name }: Pick<BenchCase, 'name'>): string =>
  `${name} with the change log, relative to none`;

/** The write rates with the triggers of the change log, relative to the rates without them, in alternating rounds. */
export function changeLogCost(plan: { readonly rounds: number; readonly seconds: number }): Measure {
  return {
    name: 'change log',
    once: true,
    async run(fixture) {
      const figures: Figure[] = [];
      try {
        for (const write of writes) {
          const ratios: number[] = [];
          for (let round = 0; round <= plan.rounds; round++) {
            const ratio = await compare(fixture, write, plan.seconds, round % 2 === 0);
            // The first round is the warm-up.
            if (round > 0) ratios.push(ratio);
          }
          figures.push({ name: rateWithLog(write), unit: 'x', value: median(ratios) });
        }
        return figures;
      } finally {
        await setTriggers(fixture, true);
      }
    },
  };
}

async function compare(
  fixture: Fixture,
  write: BenchCase,
  seconds: number,
  withFirst: boolean,
): Promise<number> {
  const rates = { with: 0, without: 0 };
  for (const logged of withFirst ? [true, false] : [false, true]) {
    await setTriggers(fixture, logged);
    const { perSecond } = await write.run(fixture, { connections, seconds });
    rates[logged ? 'with' : 'without'] = perSecond;
  }
  return rates.with / rates.without;
}

async function setTriggers({ sql }: Fixture, enabled: boolean): Promise<void> {
  for (const trigger of triggers) {
    await sql.unsafe(`alter table resources ${enabled ? 'enable' : 'disable'} trigger ${trigger}`);
  }
}
