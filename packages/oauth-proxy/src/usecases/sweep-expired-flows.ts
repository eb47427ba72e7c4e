import type { ProxyPorts } from './ports.ts';

/** Deletes at most `limit` expired states and codes and returns how many; `limit` means that more may be left. For the collector. */
export function sweepExpiredFlows(
  { flows, clock }: Pick<ProxyPorts, 'flows' | 'clock'>,
  limit: number,
): Promise<number> {
  return flows.sweepExpired(clock.now(), limit);
}
