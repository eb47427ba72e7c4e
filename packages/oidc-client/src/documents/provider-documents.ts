import type { Clock, Outbound } from '@platform/kernel';
import { Discoveries } from './discovery.ts';
import { KeySets } from './key-sets.ts';

/** What other parties publish of themselves, each fetched and kept once in a process. */
export interface ProviderDocuments {
  readonly discoveries: Discoveries;
  readonly keySets: KeySets;
}

/** How providers are asked, and how much of their answers is kept. */
export interface ProviderDocumentsOptions {
  /** The guarded outbound module: it bounds addresses, time and size. */
  readonly outbound: Outbound;
  readonly clock: Clock;
  /** Most issuers and key sets that are kept at once; 1,000 unless given. Tenants choose issuers, so memory needs a bound. */
  readonly maxEntries?: number;
}

/** Makes the caches that all clients of this package share. Nothing is requested yet. */
export function createProviderDocuments(options: ProviderDocumentsOptions): ProviderDocuments {
  const { outbound, clock, maxEntries = 1_000 } = options;
  const discoveries = new Discoveries(outbound, clock, maxEntries);
  return { discoveries, keySets: new KeySets(outbound, clock, discoveries, maxEntries) };
}
