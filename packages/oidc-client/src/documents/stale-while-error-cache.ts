import type { Clock } from '@platform/kernel';
import { LRUCache } from 'lru-cache';

/** How long a value may be used, in milliseconds. */
export interface Freshness {
  readonly freshMs: number;
  /** How long it may be used while fetching fails. */
  readonly staleMs: number;
  /** How long to wait after a failure before fetching again. */
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
 * Caches fetched values by key (stale-if-error, RFC 5861). Concurrent callers share one fetch, and an old value is used while fetching
 * fails. Evicts the least recently used entry.
 */
export class StaleWhileErrorCache<T> {
  readonly #entries: LRUCache<string, Entry<T>>;
  readonly #clock: Clock;

  constructor(clock: Clock, maxEntries: number) {
    this.#clock = clock;
    this.#entries = new LRUCache({ max: maxEntries });
  }

  /** The value of `key`, fresh if possible. Rejects with the error of `fetch` if there is no usable value. */
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

  /** Fetches now, or joins a running fetch. Rejects if it fails, even if there is a cached value. */
  fetch(key: string, fetch: () => Promise<T>): Promise<T> {
    return this.#fetch(this.#entry(key), fetch);
  }

  /** Fetches now, or joins a running fetch, but at most once per `intervalMs`; null if the last one is more recent. */
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

  /** The cached value, however old. */
  peek(key: string): T | undefined {
    return this.#entries.peek(key)?.value;
  }

  /** Makes the next {@link get} fetch. The old value is still used if that fails. */
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

  /** Attack: a flood of requests for an unreachable provider makes the service flood that provider. */
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
