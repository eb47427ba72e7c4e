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
  readonly value: T;
  readonly fetchedAt: number;
  expired: boolean;
}

/** When a fetch of a key last failed, and when it was last fetched on demand by {@link StaleWhileErrorCache.refetch}. */
interface Brake {
  failure?: { readonly error: unknown; readonly at: number };
  refetchedAt?: number;
}

/** The most that a cache holds. */
export interface CacheLimits {
  readonly maxEntries: number;
  /** Characters of all values as JSON. A value that is larger by itself is not kept. */
  readonly maxSize: number;
}

/** Entries are small and needed for less than a minute, in which no rate limit admits as many keys as this. */
const brakesPerEntry = 20;

/**
 * Caches fetched values by key (stale-if-error, RFC 5861). Concurrent callers share one fetch, and an old value is used while fetching
 * fails. Evicts the least recently used entry.
 */
export class StaleWhileErrorCache<T> {
  readonly #entries: LRUCache<string, Entry<T>>;
  /**
   * Attack: tokens of more issuers than the cache holds evict each other's entries. The times of the last attempts are kept apart, so that
   * an evicted provider is not asked more often.
   */
  readonly #brakes: LRUCache<string, Brake>;
  readonly #running = new Map<string, Promise<T>>();
  readonly #clock: Clock;

  constructor(clock: Clock, { maxEntries, maxSize }: CacheLimits) {
    this.#clock = clock;
    const sizeCalculation = ({ value }: Entry<T>) => JSON.stringify(value).length;
    this.#entries = new LRUCache({ max: maxEntries, maxSize, sizeCalculation });
    this.#brakes = new LRUCache({ max: maxEntries * brakesPerEntry });
  }

  /** The value of `key`, fresh if possible. Rejects with the error of `fetch` if there is no usable value. */
  async get(key: string, fetch: () => Promise<T>, freshness: Freshness): Promise<T> {
    const entry = this.#entries.get(key);
    if (entry !== undefined && !entry.expired && this.#since(entry.fetchedAt) < freshness.freshMs)
      return entry.value;
    try {
      return await this.#fetchUnlessFailed(key, fetch, freshness);
    } catch (error) {
      if (entry !== undefined && this.#since(entry.fetchedAt) < freshness.staleMs) return entry.value;
      throw error;
    }
  }

  /** Fetches now, or joins a running fetch. Rejects if it fails, even if there is a cached value. */
  fetch(key: string, fetch: () => Promise<T>): Promise<T> {
    return this.#fetch(key, fetch);
  }

  /** Fetches now, or joins a running fetch, but at most once per `intervalMs`; null if the last one is more recent. */
  async refetch(
    key: string,
    fetch: () => Promise<T>,
    { intervalMs, ...freshness }: Freshness & { readonly intervalMs: number },
  ): Promise<T | null> {
    if (!this.#running.has(key)) {
      const brake = this.#brake(key);
      if (this.#since(brake.refetchedAt) < intervalMs) return null;
      brake.refetchedAt = this.#clock.now();
    }
    return await this.#fetchUnlessFailed(key, fetch, freshness);
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

  /**
   * The time since `at`; endless if that never was, or lies in the future.
   *
   * Accident: a clock that is set back makes a withdrawn key fresh, and a failure recent, for as long as it was wrong.
   */
  #since(at: number | undefined): number {
    const elapsed = at === undefined ? -1 : this.#clock.now() - at;
    return elapsed < 0 ? Number.POSITIVE_INFINITY : elapsed;
  }

  #brake(key: string): Brake {
    let brake = this.#brakes.get(key);
    if (brake === undefined) {
      brake = {};
      this.#brakes.set(key, brake);
    }
    return brake;
  }

  /** Attack: a flood of requests for an unreachable provider makes the service flood that provider. */
  async #fetchUnlessFailed(key: string, fetch: () => Promise<T>, { failureMs }: Freshness): Promise<T> {
    const failure = this.#brakes.get(key)?.failure;
    if (failure !== undefined && this.#since(failure.at) < failureMs) throw failure.error;
    return await this.#fetch(key, fetch);
  }

  async #fetch(key: string, fetch: () => Promise<T>): Promise<T> {
    let running = this.#running.get(key);
    if (running === undefined) {
      running = this.#store(key, fetch).finally(() => this.#running.delete(key));
      this.#running.set(key, running);
    }
    return await running;
  }

  async #store(key: string, fetch: () => Promise<T>): Promise<T> {
    try {
      const value = await fetch();
      this.#entries.set(key, { value, fetchedAt: this.#clock.now(), expired: false });
      delete this.#brakes.get(key)?.failure;
      return value;
    } catch (error) {
      this.#brake(key).failure = { error, at: this.#clock.now() };
      throw error;
    }
  }
}
