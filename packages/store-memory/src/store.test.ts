import { systemClock } from '@platform/kernel';
import { describeStore } from '@platform/resources/conformance';
import { createMemoryStore } from './store.ts';

describeStore(
  'the memory store',
  async () => ({ ...createMemoryStore({ clock: systemClock }), close: async () => {} }),
  {
    'requests for instances do not wait for the catalog lock':
      'a transaction locks the whole store, so a write outside it would wait until it ends',
  },
);
