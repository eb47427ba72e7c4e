/** What was found out about a token, and until when it holds. */
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
  readonly #entries = new Map<string, Entry<T>>();
  readonly #capacity: number;

  constructor(capacity: number) {
    this.#capacity = capacity;
  }

  /** What the token stands for, or undefined when it is not known or has expired at `now` (seconds). */
  get(key: string, now: number): T | undefined {
    const entry = this.#entries.get(key);
    if (entry === undefined) return undefined;
    this.#entries.delete(key);
    if (entry.expires <= now) return undefined;
    this.#entries.set(key, entry);
    return entry.value;
  }

  /** Remembers it until `expires` (seconds). */
  set(key: string, value: T, expires: number): void {
    if (this.#entries.size >= this.#capacity) {
      const [oldest] = this.#entries.keys();
      if (oldest !== undefined) this.#entries.delete(oldest);
    }
    this.#entries.set(key, { value, expires });
  }

  get size(): number {
    return this.#entries.size;
  }
}
