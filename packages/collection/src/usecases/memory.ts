import type { Witness } from '../model/batch.ts';

/** A tombstone that was examined and is held by something. */
export interface Remembered {
  readonly revision: number;
  /** What blocks it; null when its own finalizers hold it. */
  readonly witness: Witness | null;
  /** Whether none of its dependents is live any more. */
  readonly spread: boolean;
  /** How often it was examined and found held. */
  readonly looks: number;
}

/**
 * What the leader knows of tombstones that are held. As long as neither the revision of the row nor that of its witness has changed,
 * examining it again would find the same: a tombstone gets no new dependents, its finalizers are part of the row, and a
 * witness cannot cease to block without being written or removed. So a sweep passes over thousands of stuck rows for the price of reading
 * two numbers each. Bounded; what falls out is simply examined again.
 */
export class Memory {
  readonly #limit: number;
  readonly #rows = new Map<string, Remembered>();
  readonly #waiters = new Map<string, Set<string>>();

  constructor(limit: number) {
    this.#limit = limit;
  }

  get size(): number {
    return this.#rows.size;
  }

  get(uid: string): Remembered | undefined {
    return this.#rows.get(uid);
  }

  /** Keeps what an examination found, in place of what the one before it did. */
  remember(uid: string, found: Omit<Remembered, 'looks'>): void {
    const row = { ...found, looks: (this.#rows.get(uid)?.looks ?? 0) + 1 };
    this.forget(uid);
    this.#rows.set(uid, row);
    if (row.witness !== null) {
      const waiters = this.#waiters.get(row.witness.uid);
      if (waiters === undefined) this.#waiters.set(row.witness.uid, new Set([uid]));
      else waiters.add(uid);
    }
    if (this.#rows.size > this.#limit) this.forget(this.#rows.keys().next().value as string);
  }

  /** Notes that none of its dependents is live any more. Returns false when the row is not remembered. */
  noteSpread(uid: string): boolean {
    const row = this.#rows.get(uid);
    if (row !== undefined) this.#rows.set(uid, { ...row, spread: true });
    return row !== undefined;
  }

  forget(uid: string): void {
    const row = this.#rows.get(uid);
    if (row === undefined) return;
    this.#rows.delete(uid);
    if (row.witness === null) return;
    const waiters = this.#waiters.get(row.witness.uid);
    waiters?.delete(uid);
    if (waiters?.size === 0) this.#waiters.delete(row.witness.uid);
  }

  /** The rows that were seen to be blocked by that one. */
  waitersOf(uid: string): readonly string[] {
    const waiters = this.#waiters.get(uid);
    return waiters === undefined ? [] : [...waiters];
  }

  clear(): void {
    this.#rows.clear();
    this.#waiters.clear();
  }
}
