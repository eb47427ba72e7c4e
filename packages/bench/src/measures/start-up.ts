import { setTimeout as delay } from 'node:timers/promises';
import type { Measure } from './measure.ts';

/** A process more, on a database that is migrated: how long until it serves, and what it takes when nobody calls. */
export const startUp: Measure = {
  name: 'start-up',
  async run(stage) {
    const api = await stage.startApi();
    try {
      const cpuSeconds = api.cpuSeconds();
      await delay(1_000);
      return [
        ...(cpuSeconds === undefined
          ? []
          : [{ name: 'CPU time until ready', unit: 'ms', value: cpuSeconds * 1e3 } as const]),
        { name: 'start to ready', unit: 'ms', value: api.startMs },
        { name: 'API memory at rest', unit: 'MB', value: api.residentBytes() / 1e6 },
      ];
    } finally {
      await api.stop();
    }
  },
};
