import type { Clock } from '@platform/kernel';

/** Milliseconds. */
export const WINDOW_MS = 60_000;

interface Window {
  startedAt: number;
  count: number;
}

/** Counts by key in windows of a minute that begin with a key's first request. */
export class Windows {
  readonly #windows = new Map<string, Window>();
  readonly #clock: Clock;
  readonly #limit: number;
  readonly #maxKeys: number;

  /** `limit`: requests a window; `maxKeys`: keys that are remembered, at most. */
  constructor(clock: Clock, limit: number, maxKeys: number) {
    this.#clock = clock;
    this.#limit = limit;
    this.#maxKeys = maxKeys;
  }

  /** Counts one request; returns 0 when it is within the limit, else the seconds until the window is over. */
  take(key: string): number {
    const now = this.#clock.now();
    const known = this.#windows.get(key);
    if (known === undefined || now - known.startedAt >= WINDOW_MS) {
      // Map keeps the order of insertion, so the windows stay sorted by their beginning.
      this.#windows.delete(key);
      this.#windows.set(key, { startedAt: now, count: 1 });
      this.#forgetOld(now);
      return 0;
    }
    known.count += 1;
    return known.count <= this.#limit ? 0 : Math.ceil((known.startedAt + WINDOW_MS - now) / 1000);
  }

  /** Attack: requests from ever new addresses fill the memory. What is over is forgotten, and beyond the bound the oldest. */
  #forgetOld(now: number): void {
    for (const [key, { startedAt }] of this.#windows) {
      if (now - startedAt < WINDOW_MS && this.#windows.size <= this.#maxKeys) return;
      this.#windows.delete(key);
    }
  }
}
