import {
  type FakeClock,
  fakeClock,
  type RecordingLogger,
  recordingLogger,
} from '@platform/development/testing';
import type {
  CollectorPorts,
  CollectorSettings,
  GarbageCollectorStore,
  Lease,
} from '@platform/garbage-collector';
import { type GarbageCollectorStoreUnderTest, harness } from '@platform/garbage-collector/conformance';
import type { Resource } from '@platform/resources';
import { deleteRow, given, testChange } from '@platform/resources/conformance';
import { createMemoryStore } from '@platform/store-memory';

/** A step before a batch reaches the store: it may throw, or leave rows out. */
export type Tampering = (uids: readonly string[], lockWait: 'skip' | 'wait') => readonly string[];

/** A store on maps and a clock that stands still, with collectors over them. */
export interface Fixture {
  readonly store: GarbageCollectorStoreUnderTest;
  readonly clock: FakeClock;
  readonly logger: RecordingLogger;
  /** The step before each batch; a test sets it. */
  tamper: Tampering;
  /** The batches that reached the store, by uid. */
  readonly batches: (readonly string[])[];
  rows(): readonly Resource[];
  collector(
    settings?: Partial<CollectorSettings>,
    ports?: Partial<CollectorPorts>,
  ): ReturnType<typeof harness>;
}

export function createFixture(): Fixture {
  const clock = fakeClock();
  const logger = recordingLogger();
  const memory = createMemoryStore({ clock });
  const batches: (readonly string[])[] = [];
  const store: GarbageCollectorStoreUnderTest = {
    ...memory,
    close: async () => {},
    endLease: async () => clock.advance(24 * 3_600_000),
  };
  const garbageCollector: GarbageCollectorStore = {
    ...memory.garbageCollector,
    async collectBatch(batch, plan) {
      const uids = made.tamper(batch.uids, batch.lockWait);
      batches.push(uids);
      return memory.garbageCollector.collectBatch({ ...batch, uids }, plan);
    },
  };
  const made: Fixture = {
    store,
    clock,
    logger,
    batches,
    tamper: (uids) => uids,
    rows: () => memory.rows(),
    collector: (settings = {}, ports = {}) =>
      harness(
        { ...store, garbageCollector },
        {
          ports: { clock, logger, random: { bytes: () => new Uint8Array([255]) }, ...ports },
          settings: { pollIntervalMs: 1_000, leaseSeconds: 15, ...settings },
        },
      ),
  };
  return made;
}

/** A lease that a test can break. */
export function breakable(lease: Lease): Lease & { broken: Error | null } {
  return {
    broken: null,
    async acquire(holder, seconds) {
      if (this.broken !== null) throw this.broken;
      return lease.acquire(holder, seconds);
    },
    release: (fence) => lease.release(fence),
  };
}

/** A tombstone that nothing holds any more. */
export async function heldNoMore(fixture: Fixture) {
  const row = await given(fixture.store, { finalizers: ['x/a'] });
  await deleteRow(fixture.store, row);
  await fixture.store.writer.changeFinalizers({
    change: testChange,
    definition: null,
    ref: { by: 'uid', uid: row.uid, group: 'example.dev', kind: row.kind },
    add: [],
    remove: ['x/a'],
    limit: 64,
  });
  return row;
}
