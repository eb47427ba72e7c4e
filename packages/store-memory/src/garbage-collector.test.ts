import { fakeClock } from '@platform/development/testing';
import { describeGarbageCollector } from '@platform/garbage-collector/conformance';
import { createMemoryStore } from './store.ts';

const clock = fakeClock();

describeGarbageCollector(
  'the memory store',
  async () => ({
    ...createMemoryStore({ clock }),
    close: async () => {},
    endLease: async () => clock.advance(24 * 3_600_000),
  }),
  {
    'a row that somebody has locked is left out rather than waited for':
      'a batch is alone while it runs, so no row is ever locked by anybody else',
  },
);
