import { setTimeout as delay } from 'node:timers/promises';
import { timeoutFactor } from '@platform/development/testing';
import fc from 'fast-check';
import { Run } from './address.ts';
import { clientOperation } from './arbitraries.ts';
import { auditFaults, deletionsIn } from './audit.ts';
import { Budget, timeoutMs } from './budget.ts';
import { Clients } from './clients.ts';
import type { FinalRow } from './history.ts';
import { violations } from './invariants.ts';
import type { Operation } from './operation.ts';
import { useService } from './service.ts';

const service = useService();
const client = fc.array(clientOperation, { minLength: 15, maxLength: 40, size: 'max' });
const disturbance = fc.array(
  fc.constantFrom<Operation[]>({ do: 'killCollector' }, { do: 'startCollector' }),
  {
    maxLength: 3,
  },
);
const budget = new Budget(15);

/** Several clients at once, each its operations in order, while the collector comes and goes. */
async function play(scripts: readonly (readonly Operation[])[]): Promise<void> {
  service.forgetOutput();
  const clients = new Clients(new Run(`c${budget.runs}`), service);
  await clients.start();
  await Promise.all(
    scripts.map(async (script) => {
      for (const operation of script) await clients.perform(operation);
    }),
  );
  await service.collector.start();
  await service.drained();
  expect(await violations(service.sql)).toEqual([]);
  const rows = await service.sql<FinalRow[]>`
    select uid, revision::int, finalizers, deletion_timestamp is not null as tombstoned from resources`;
  expect(clients.history.faults(rows)).toEqual([]);
  const undisturbed = !scripts.flat().some((operation) => operation.do === 'killCollector');
  expect(await lastingAuditFaults(clients.history.deleted(rows), undisturbed)).toEqual([]);
  await clients.clear();
  expect(
    await service.sql`select kind, name from resources where name <> 'default' and kind <> 'Role'`,
  ).toEqual([]);
}

/** A process writes its records a moment after it committed, so what is missing is looked for again for a while. */
async function lastingAuditFaults(deleted: readonly string[], complete: boolean): Promise<readonly string[]> {
  const deadline = performance.now() + 5_000 * timeoutFactor;
  for (;;) {
    const faults = auditFaults(deletionsIn(service.output), deleted, complete);
    if (faults.length === 0 || performance.now() > deadline) return faults;
    await delay(20);
  }
}

describe('several clients at once, on two API processes and a collector that is killed and started again', () => {
  it(
    'see one history: no write is lost, no revision comes twice, no finalizer is bypassed',
    async () => {
      const scripts = fc.tuple(client, client, client, client, disturbance);
      await fc.assert(fc.asyncProperty(scripts, budget.spend(play)), budget.parameters);
      expect(budget.runs).toBeGreaterThan(0);
    },
    timeoutMs,
  );
});
