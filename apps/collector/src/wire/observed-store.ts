import type { GarbageCollectorStore } from '@platform/garbage-collector';
import type { Clock, Tracer } from '@platform/kernel';

/** Reports a committed batch: the rows it locked, and the seconds it took. */
export type ObserveBatch = (rows: number, seconds: number) => void;

/** Adds a span and a measurement to every batch of a store. */
export function observedStore(
  store: GarbageCollectorStore,
  { tracer, clock, observeBatch }: { tracer: Tracer; clock: Clock; observeBatch: ObserveBatch },
): GarbageCollectorStore {
  return {
    ...store,
    collectBatch(batch, plan) {
      const attributes = { 'db.system.name': 'postgresql', 'platform.batch.rows': batch.uids.length };
      return tracer.span({ name: 'collector.batch', kind: 'client', attributes }, async (span) => {
        const startedAt = clock.now();
        const result = await store.collectBatch(batch, plan);
        span.set({ 'platform.batch.outcome': result.outcome });
        if (result.outcome === 'committed') {
          const { results, remove, cascades } = result.plan;
          observeBatch(results.length, (clock.now() - startedAt) / 1_000);
          span.set({
            'platform.batch.examined': results.length,
            'platform.batch.removed': remove.length,
            'platform.batch.tombstoned': cascades.length,
          });
        }
        return result;
      });
    },
  };
}
