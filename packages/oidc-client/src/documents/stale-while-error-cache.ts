import type { Clock } from '@platform/kernel';
import { LRUCache } from 'lru-cache';

/** How long something fetched is believed, in milliseconds. */
export interface Freshness {
  readonly freshMs: number;
  /** Until then it is still used while it cannot be fetched again. */
  readonly staleMs: number;
  /** After a failure the other side is left alone for this long. */
  readonly failureMs: number;
}

interface Entry<T> {
  value?: T;
  fetchedAt: number;
  expired: boolean;
  failure?: { readonly error: unknown; readonly at: number };
  running?: Promise<T>;
  /** When {@link StaleWhileErrorCache.refetch} last fetched on demand. */
  refetchedAt: number;
}

/**
 * Remembers what was fetched, by key. Concurrent callers share one fetch, and an old value is better than none while the
 * other side is away. The least recently used entry makes room.
 */
export class StaleWhileErrorCache<T> {
  readonly #entries: LRUCache<string, Entry<T>>;
  readonly #clock: Clock;

  constructor(clock: Clock, maxEntries: number) {
    this.#clock = clock;
    this.#entries = new LRUCache({ max: maxEntries });
  }

  /** The value of `key`, fresh where it can be had; rejects as `fetch` did when there is no usable one. */
  async get(key: string, fetch: () => Promise<T>, freshness: Freshness): Promise<T> {
    const entry = this.#entry(key);
    if (entry.value !== undefined && !entry.expired && this.#age(entry) < freshness.freshMs)
      return entry.value;
    try {
      return await this.#fetchUnlessFailed(entry, fetch, freshness);
    } catch (error) {
      if (entry.value !== undefined && this.#age(entry) < freshness.staleMs) return entry.value;
      throw error;
    }
  }

  /** Fetches now, sharing a fetch that runs already; rejects when that fails, whatever is remembered. */
  fetch(key: string, fetch: () => Promise<T>): Promise<T> {
    return this.#fetch(this.#entry(key), fetch);
  }

  /** Fetches now, but at most once in `intervalMs`; null when it was done a moment ago. A fetch that runs already is shared. */
  async refetch(
    key: string,
    fetch: () => Promise<T>,
    { intervalMs, ...freshness }: Freshness & { readonly intervalMs: number },
  ): Promise<T | null> {
    const entry = this.#entry(key);
    if (entry.running === undefined) {
      const now = this.#clock.now();
      if (now - entry.refetchedAt < intervalMs) return null;
      entry.refetchedAt = now;
    }
    return await this.#fetchUnlessFailed(entry, fetch, freshness);
  }

  /** The remembered value, however old. */
  peek(key: string): T | undefined {
    return this.#entries.peek(key)?.value;
  }

  /** Makes the next {@link get} fetch; the value is still used while that fails. */
  expire(key: string): void {
    const entry = this.#entries.peek(key);
    if (entry !== undefined) entry.expired = true;
  }

  #age(entry: Entry<T>): number {
    return this.#clock.now() - entry.fetchedAt;
  }

  #entry(key: string): Entry<T> {
    let entry = this.#entries.get(key);
    if (entry === undefined) {
      entry = { fetchedAt: 0, expired: false, refetchedAt: Number.NEGATIVE_INFINITY };
      this.#entries.set(key, entry);
    }
    return entry;
  }

  /** Attack: requests for a provider that is away make the service knock there as often as it is asked. */
  async #fetchUnlessFailed(entry: Entry<T>, fetch: () => Promise<T>, { failureMs }: Freshness): Promise<T> {
    const { failure } = entry;
    if (failure !== undefined && this.#clock.now() - failure.at < failureMs) throw failure.error;
    return await this.#fetch(entry, fetch);
  }

  async #fetch(entry: Entry<T>, fetch: () => Promise<T>): Promise<T> {
    entry.running ??= fetch()
      .then((value) => {
        entry.value = value;
        entry.fetchedAt = this.#clock.now();
        entry.expired = false;
        delete entry.failure;
        return value;
      })
      .catch((error: unknown) => {
        entry.failure = { error, at: this.#clock.now() };
        throw error;
      })
      .finally(() => {
        delete entry.running;
      });
    return await entry.running;
  }
}
