import { createClient, reconcile } from 'platform-service-client';
import type { Fixture } from '../fixture/fixture.ts';
import { group, kindAt } from '../fixture/kinds.ts';
import { median } from '../statistics.ts';
import type { Measure } from './measure.ts';

const repeats = 40;
const timeoutMs = 30_000;

/** The name of the figure. */
export const reconcileFigure = 'commit to reconcile of a controller';

/** Latency from a committed change to the call of the handler, in a controller of the client that is idle otherwise. */
export const controllerLatency: Measure = {
  name: 'controller',
  once: true,
  async run({ api: { url, session } }: Fixture) {
    const stopping = new AbortController();
    const client = createClient({ baseUrl: url, token: session });
    const kind = { group, version: 'v1', plural: kindAt(0).plural };
    const roots = client.resources<{ readonly size: number }>(kind);
    const { value: first } = await roots.list({ limit: 1 }).next();
    const name = first?.metadata.name ?? '';
    const calls = new Calls();
    const running = reconcile<{ readonly size: number }>({
      reader: client,
      controller: 'bench.example.dev',
      kind,
      signal: stopping.signal,
      async reconcile({ metadata, spec }) {
        if (metadata.name === name) calls.tell(spec.size);
      },
    });
    try {
      await calls.next(() => true);
      const times: number[] = [];
      for (let size = 1_000; size < 1_000 + repeats; size += 1) {
        const called = calls.next((seen) => seen === size);
        await roots.patch(name, { spec: { size } });
        const answered = performance.now();
        const at = await called;
        if (at === null) {
          const unfinished = `not reconciled within ${timeoutMs / 1_000} s`;
          return [{ name: reconcileFigure, unit: 'ms', value: timeoutMs, unfinished }];
        }
        times.push(Math.max(0, at - answered));
      }
      return [{ name: reconcileFigure, unit: 'ms', value: median(times) }];
    } finally {
      stopping.abort();
      await running;
    }
  },
};

/** The calls of the handler. */
class Calls {
  #tell: (size: number) => void = () => undefined;

  tell(size: number): void {
    this.#tell(size);
  }

  /** The time of the next call that is the wanted one; null after the timeout. */
  next(isWanted: (size: number) => boolean): Promise<number | null> {
    return new Promise((resolve) => {
      const timer = setTimeout(() => resolve(null), timeoutMs);
      this.#tell = (size) => {
        if (!isWanted(size)) return;
        clearTimeout(timer);
        resolve(performance.now());
      };
    });
  }
}
