import { describeChangeLog } from '@platform/change-log/conformance';
import { systemClock } from '@platform/kernel';
import { MemoryChangeLog } from './change-log.ts';
import { createMemoryStore } from './store.ts';

describeChangeLog('the memory store', async () => {
  const store = createMemoryStore({ clock: systemClock });
  const log = new MemoryChangeLog(store);
  // It compares tables, so each write must be reported before the next one.
  const telling = <T extends object>(methods: T): T =>
    Object.fromEntries(
      Object.entries(methods).map(([name, method]) => [
        name,
        async (...parameters: unknown[]) => {
          const result = await method(...parameters);
          log.written();
          return result;
        },
      ]),
    ) as T;
  return {
    log,
    store: {
      ...store,
      writer: telling(store.writer),
      transactions: telling(store.transactions),
      close: async () => {},
    },
    settle: async () => log.written(),
  };
});
