import fc from 'fast-check';
import { Run } from './address.ts';
import { anyOperation } from './arbitraries.ts';
import { Budget, timeoutMs } from './budget.ts';
import { violations } from './invariants.ts';
import { Lockstep } from './lockstep.ts';
import { useService } from './service.ts';

const service = useService();
const sequence = fc.array(anyOperation, { minLength: 30, maxLength: 80, size: 'max' });
const budget = new Budget(25);

/** One sequence from beginning to end, on a group of its own. */
async function play(operations: Parameters<Lockstep['step']>[0][]): Promise<void> {
  service.forgetOutput();
  const run = new Lockstep(new Run(`m${budget.runs}`), service);
  await run.start();
  try {
    for (const operation of operations) await run.step(operation);
    await run.review();
    expect(await violations(service.sql)).toEqual([]);
    await run.clear();
  } finally {
    await run.stop();
  }
}

describe('the service, two API processes and a collector that is killed and started again', () => {
  it(
    'answers every sequence of requests as the model does, and keeps its database sound',
    async () => {
      await fc.assert(fc.asyncProperty(sequence, budget.spend(play)), budget.parameters);
      // Otherwise the time was over before anything was tried.
      expect(budget.runs).toBeGreaterThan(0);
    },
    timeoutMs,
  );
});
