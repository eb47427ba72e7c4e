import { setTimeout as delay } from 'node:timers/promises';
import { timeoutFactor } from '@platform/development/testing';
import fc from 'fast-check';
import { everyItem, Run } from './address.ts';
import { clientOperation } from './arbitraries.ts';
import { nightlySeconds } from './budget.ts';
import { Clients } from './clients.ts';
import type { FinalRow } from './history.ts';
import { violations } from './invariants.ts';
import { Ledger } from './ledger.ts';
import type { Service } from './service.ts';

/** One kind of fault: it strikes, lasts a while, and is over when it resolves. */
export type Fault = () => Promise<void>;

/** More clients and longer calms in a nightly run, so that it gets through many requests. */
const [clientCount, calmMs] = nightlySeconds === undefined ? [6, 300] : [24, 5_000];
const recoveryMs = 20_000 * timeoutFactor;

/**
 * Clients that use a service while faults strike it one after the other, each given time to be noticed. In the end, what the clients were
 * told, what the change log has and what is stored must be one history.
 */
export async function storm(service: Service, name: string, faults: readonly Fault[]): Promise<Ledger> {
  const ledger = new Ledger();
  const clients = new Clients(new Run(name), service, { ledger });
  await clients.start();
  let over = false;
  const playing = Array.from({ length: clientCount }, async () => {
    while (!over) {
      for (const operation of fc.sample(clientOperation, 20)) {
        if (over) return;
        await clients.perform(operation);
      }
    }
  });
  try {
    for (const fault of faults) {
      await delay(calmMs);
      await fault();
    }
    await recovered(service);
    // On a slow machine, faults may have been all that the clients met.
    while (ledger.counts.written === 0) await delay(50);
  } finally {
    over = true;
    await Promise.all(playing);
  }
  await service.collector.start();
  await service.drained();
  for (const at of everyItem)
    await clients.perform({ do: 'get', at, by: 'path', version: 'v1', as: 'operator' });
  expect(await violations(service.sql)).toEqual([]);
  const rows = await service.sql<FinalRow[]>`
    select uid, revision::int, finalizers, deletion_timestamp is not null as tombstoned from resources`;
  const removed = await service.sql<{ uid: string; finalizers: string[] }[]>`
    select uid, finalizers from changes where removed`;
  const atRemoval = new Map(removed.map(({ uid, finalizers }) => [uid, finalizers]));
  expect(clients.history.faults(rows, atRemoval)).toEqual([]);
  expect(await ledger.contradictions(service.sql)).toEqual([]);
  await clients.clear();
  return ledger;
}

/** Resolves when both API processes are ready and write again. Nobody restarts them for that. */
async function recovered(service: Service): Promise<void> {
  const path = '/api/v1/resources/platform.dev/v1alpha1/organizations';
  for (const send of service.instances) {
    const deadline = performance.now() + recoveryMs;
    for (let turn = 0; ; turn += 1) {
      const metadata = { name: `probe-${turn}` };
      const body = JSON.stringify({
        apiVersion: 'platform.dev/v1alpha1',
        kind: 'Organization',
        metadata,
        spec: {},
      });
      const made = await send({ method: 'POST', path, body, as: 'operator' }).catch((error) => ({
        status: 0,
        text: String(error.cause ?? error),
      }));
      await send({ method: 'DELETE', path: `${path}/${metadata.name}`, as: 'operator' }).catch(() => null);
      if (made.status === 201) break;
      if (performance.now() > deadline) {
        throw new Error(`no write after the faults: ${made.text}\n${service.output.slice(-4_000)}`);
      }
      await delay(50);
    }
  }
}
