import { LRUCache } from 'lru-cache';

/** What a token stands for, and until when it does. */
interface Entry<T> {
  readonly value: T;
  /** Seconds since the epoch. */
  readonly expires: number;
}

/**
 * Remembers what genuine tokens stand for until they expire, so that a token is verified once and not with
 * every request. Bounded: the least recently used entry makes room. Keys are hashes, so that neither memory
 * nor a dump of it holds tokens. Refusals are never kept, so that nobody can fill it without genuine tokens.
 */
export class VerifiedTokens<T> {
  readonly #entries: LRUCache<string, Entry<T>>;

  constructor(capacity: number) {
    this.#entries = new LRUCache({ max: capacity });
  }

  /** What the token stands for, or undefined when it is not known or has expired at `now` (seconds). */
  get(key: string, now: number): T | undefined {
    const entry = this.#entries.get(key);
    if (entry === undefined) return undefined;
    if (entry.expires > now) return entry.value;
    this.#entries.delete(key);
    return undefined;
  }

  /** Remembers it until `expires` (seconds). */
  set(key: string, value: T, expires: number): void {
    this.#entries.set(key, { value, expires });
  }

  get size(): number {
    return this.#entries.size;
  }
}
