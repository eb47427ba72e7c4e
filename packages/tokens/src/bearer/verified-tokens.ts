/** What was found out about a token, and until when it holds. */
interface Entry<T> {
  readonly value: T;
  /** Seconds since the epoch. */
  readonly expires: number;
  /** When it last became the most recently used, in seconds since the epoch. */
  used: number;
}

/**
 * Remembers what genuine tokens stand for until they expire, so that a token is verified once and not with
 * every request. Bounded: the least recently used entry makes room. Keys are hashes, so that neither memory
 * nor a dump of it holds tokens. Refusals are never kept, so that nobody can fill it without genuine tokens.
 */
export class VerifiedTokens<T> {
  readonly #entries = new Map<string, Entry<T>>();
  readonly #capacity: number;

  constructor(capacity: number) {
    this.#capacity = capacity;
  }

  /** What the token stands for, or undefined when it is not known or has expired at `now` (seconds). */
  get(key: string, now: number): T | undefined {
    const entry = this.#entries.get(key);
    if (entry === undefined) return undefined;
    if (entry.expires <= now) {
      this.#entries.delete(key);
      return undefined;
    }
    if (entry.used !== now) this.#renew(key, entry, now);
    return entry.value;
  }

  /** Remembers it until `expires` (seconds). */
  set(key: string, value: T, expires: number): void {
    if (this.#entries.size >= this.#capacity) {
      const [oldest] = this.#entries.keys();
      if (oldest !== undefined) this.#entries.delete(oldest);
    }
    this.#entries.set(key, { value, expires, used: Number.NEGATIVE_INFINITY });
  }

  /** Puts it behind all others, which a Map does not do for entries that it has. Once a second, for it costs 1 % of a read. */
  #renew(key: string, entry: Entry<T>, now: number): void {
    entry.used = now;
    this.#entries.delete(key);
    this.#entries.set(key, entry);
  }

  get size(): number {
    return this.#entries.size;
  }
}
