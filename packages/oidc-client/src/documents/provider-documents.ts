import type { Clock, Outbound } from '@platform/kernel';
import { DiscoveryCache } from './discovery.ts';
import { KeySetCache } from './key-sets.ts';

/** The caches of documents that other parties publish. */
export interface ProviderDocuments {
  readonly discoveries: DiscoveryCache;
  readonly keySets: KeySetCache;
}

/** The dependencies of the caches. */
export interface ProviderDocumentsDeps {
  /** The guarded outbound module, which limits addresses, time and size. */
  readonly outbound: Outbound;
  readonly clock: Clock;
  /** The maximum number of cached documents. Tenants choose issuers, so memory must be limited. */
  readonly maxEntries?: number;
}

/**
 * The maximum size of all documents of a kind, in characters. Attack: a tenant names a thousand issuers, each with a key set of a megabyte,
 * and the process runs out of memory.
 */
const maxSize = 32 * 1024 * 1024;

/** Creates caches, which several clients of this package may share. Sends no request yet. */
export function createProviderDocuments(options: ProviderDocumentsDeps): ProviderDocuments {
  const { outbound, clock, maxEntries = 1_000 } = options;
  const limits = { maxEntries, maxSize };
  const discoveries = new DiscoveryCache(outbound, clock, limits);
  return { discoveries, keySets: new KeySetCache(outbound, clock, discoveries, limits) };
}
