import type { Exceptions } from '@platform/resources/conformance';
import { batches, fences } from './batches.ts';
import { draining } from './draining.ts';
import { lease, pausing } from './lease.ts';
import { protection } from './protection.ts';
import { scanning } from './scanning.ts';
import type { GarbageCollectorStoreUnderTest, Suite, Topic } from './suite.ts';
import { traversing } from './traversing.ts';
import { wakeUps } from './wake-ups.ts';

const topics: Readonly<Record<string, Topic>> = {
  scanning,
  traversing,
  batches,
  fences,
  lease,
  pausing,
  'wake-ups': wakeUps,
  draining,
  'deletion protection': protection,
};

/**
 * States as tests what the ports of the garbage collector ask of a store. `open` must return an empty one; it is opened once.
 * An exception that names no guarantee fails, so that a renamed one is not skipped unnoticed.
 */
export function describeGarbageCollector(
  name: string,
  open: () => Promise<GarbageCollectorStoreUnderTest>,
  exceptions: Exceptions = {},
): void {
  describe(`${name} keeps what the collector is promised`, () => {
    let store: GarbageCollectorStoreUnderTest;
    const stated = new Set<string>();

    beforeAll(async () => {
      store = await open();
    });
    beforeEach(async () => {
      await store.reset();
      await store.collectorPause.resume();
      await store.endLease();
    });
    afterAll(() => store.close());

    const suite: Suite = {
      guarantee(guarantee, prove) {
        stated.add(guarantee);
        const reason = exceptions[guarantee];
        if (reason === undefined) it(guarantee, () => prove(store));
        else it.skip(`${guarantee} (${reason})`, () => prove(store));
      },
    };
    for (const [topic, state] of Object.entries(topics)) describe(topic, () => state(suite));

    it('excepts only guarantees that there are', () => {
      expect(Object.keys(exceptions).filter((exception) => !stated.has(exception))).toEqual([]);
    });
  });
}
