/** Keeps the entries used last, bounded by their number and by the sum of their sizes. */
export class Lru<Value> {
  readonly #entries = new Map<string, { readonly value: Value; readonly size: number }>();
  readonly #most: number;
  readonly #largest: number;
  #size = 0;

  constructor(most: number, largest: number) {
    this.#most = most;
    this.#largest = largest;
  }

  get(key: string): Value | undefined {
    const entry = this.#entries.get(key);
    if (entry === undefined) return undefined;
    // A Map keeps the order of insertion: what was used last goes to the end.
    this.#entries.delete(key);
    this.#entries.set(key, entry);
    return entry.value;
  }

  /** Adds an entry that is not there yet, at the expense of those that were not used for longest. */
  add(key: string, value: Value, size: number): void {
    this.#entries.set(key, { value, size });
    this.#size += size;
    for (const [oldest, entry] of this.#entries) {
      if (this.#entries.size <= this.#most && this.#size <= this.#largest) break;
      this.#entries.delete(oldest);
      this.#size -= entry.size;
    }
  }
}
