import { systemClock } from '@platform/kernel';
import { describeStore } from '@platform/resources/conformance';
import { createMemoryStore } from './store.ts';

describeStore(
  'the memory store',
  async () => ({ ...createMemoryStore({ clock: systemClock }), close: async () => {} }),
  {
    'requests for instances do not wait on the catalog lock':
      'a transaction has the whole store to itself, so a write outside it would wait for ever',
  },
);
