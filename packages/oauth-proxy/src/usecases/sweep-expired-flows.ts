import type { ProxyPorts } from './ports.ts';

/** How much one call may delete: statements stay short, and a backlog does not hold up the collector's other work. */
export interface SweepBounds {
  readonly batchSize: number;
  readonly maxBatches: number;
}

/** Deletes expired states and codes in batches and returns how many. For the collector. */
export async function sweepExpiredFlows(
  { flows, clock }: Pick<ProxyPorts, 'flows' | 'clock'>,
  { batchSize, maxBatches }: SweepBounds,
): Promise<number> {
  let swept = 0;
  for (let batch = 0; batch < maxBatches; batch += 1) {
    const deleted = await flows.sweepExpired(clock.now(), batchSize);
    swept += deleted;
    if (deleted < batchSize) break;
  }
  return swept;
}
