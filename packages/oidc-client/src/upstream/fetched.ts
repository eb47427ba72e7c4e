import type { Clock } from '@platform/kernel';

/** How long something fetched is believed, in milliseconds. */
export interface Freshness {
  readonly freshMs: number;
  /** Until then it is still used while it cannot be fetched again. */
  readonly staleMs: number;
  /** After a failure the other side is left alone for so long. */
  readonly failureMs: number;
}

interface Entry<T> {
  value: T | undefined;
  fetchedAt: number;
  failure: { readonly error: unknown; readonly at: number } | undefined;
  running: Promise<T> | undefined;
}

/**
 * Remembers what was fetched, by key. Callers at the same moment share one fetch, and an old value is better than none while
 * the other side is away. At most `maxEntries`; the one that was not asked for longest goes first.
 */
export class Fetched<T> {
  readonly #entries = new Map<string, Entry<T>>();
  readonly #clock: Clock;
  readonly #freshness: Freshness;
  readonly #maxEntries: number;

  constructor(clock: Clock, freshness: Freshness, maxEntries: number) {
    this.#clock = clock;
    this.#freshness = freshness;
    this.#maxEntries = maxEntries;
  }

  /** The value of `key`, at most `maxAgeMs` old where it can be had; rejects as `fetch` did when there is no usable one. */
  async get(key: string, fetch: () => Promise<T>, maxAgeMs = this.#freshness.freshMs): Promise<T> {
    const entry = this.#touch(key);
    if (entry.value !== undefined && this.#age(entry) < maxAgeMs) return entry.value;
    try {
      const { failure } = entry;
      // Attack: requests for an extension whose provider is away make the service knock there as often as it is asked.
      if (failure !== undefined && this.#clock.now() - failure.at < this.#freshness.failureMs)
        throw failure.error;
      return await this.#fetch(entry, fetch);
    } catch (error) {
      if (entry.value !== undefined && this.#age(entry) < this.#freshness.staleMs) return entry.value;
      throw error;
    }
  }

  /** Fetches now, sharing a fetch that runs already; rejects when that fails, whatever is remembered. */
  refetch(key: string, fetch: () => Promise<T>): Promise<T> {
    return this.#fetch(this.#touch(key), fetch);
  }

  /** How old the remembered value is in milliseconds; infinite when there is none. */
  age(key: string): number {
    const entry = this.#entries.get(key);
    return entry?.value === undefined ? Number.POSITIVE_INFINITY : this.#age(entry);
  }

  #age(entry: Entry<T>): number {
    return this.#clock.now() - entry.fetchedAt;
  }

  #touch(key: string): Entry<T> {
    const entry = this.#entries.get(key) ?? {
      value: undefined,
      fetchedAt: 0,
      failure: undefined,
      running: undefined,
    };
    this.#entries.delete(key);
    this.#entries.set(key, entry);
    const [oldest] = this.#entries.keys();
    if (this.#entries.size > this.#maxEntries && oldest !== undefined) this.#entries.delete(oldest);
    return entry;
  }

  async #fetch(entry: Entry<T>, fetch: () => Promise<T>): Promise<T> {
    entry.running ??= fetch()
      .catch((error: unknown) => {
        entry.failure = { error, at: this.#clock.now() };
        throw error;
      })
      .finally(() => {
        entry.running = undefined;
      });
    const value = await entry.running;
    entry.failure = undefined;
    entry.value = value;
    entry.fetchedAt = this.#clock.now();
    return value;
  }
}
