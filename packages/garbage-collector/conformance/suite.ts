import type { StoreUnderTest as ResourceStoreUnderTest } from '@platform/resources/conformance';
import type { CollectorPause, GarbageCollectorStore, Lease, WakeUps } from '../src/index.ts';

/** A store under test: the ports of the collector, and those of the resource area to arrange and to look with. */
export interface GarbageCollectorStoreUnderTest extends ResourceStoreUnderTest {
  readonly garbageCollector: GarbageCollectorStore;
  readonly collectorLease: Lease;
  readonly collectorPause: CollectorPause;
  readonly collectorWakeUps: WakeUps;

  /** Makes the lease end as if its time had passed. Nobody is told. */
  endLease(): Promise<void>;
}

/** Where the guarantees of one topic are stated. */
export interface Suite {
  /** States what must hold, in words, and proves it on an empty store with a free lease. */
  guarantee(name: string, prove: (store: GarbageCollectorStoreUnderTest) => Promise<void>): void;
}

/** The guarantees of one topic. */
export type Topic = (suite: Suite) => void;
