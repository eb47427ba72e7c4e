import type { AuditRecord } from './audit-record.ts';

/** Milliseconds in which identical refusals of one caller are one record. */
const windowMs = 60_000;
/** Different refusals of one caller in a window that get a record each; the others share one. */
const perCaller = 100;
/** Windows that are open at the same time; with more, refusals are dropped. */
const defaultCapacity = 10_000;

interface Window {
  readonly caller: string;
  readonly begun: number;
  record: AuditRecord;
  count: number;
  /** Whether the record differs from the stored one. */
  changed: boolean;
}

/**
 * Counts identical refusals of a caller in one record, whose `details.count` grows. Attack: somebody sends refused requests until the disk
 * is full, or until the records of others drown in theirs. Memory and records per caller are bounded.
 */
export class RefusalCounter {
  readonly #capacity: number;
  readonly #windows = new Map<string, Window>();
  readonly #ofCaller = new Map<string, number>();
  /** Records of windows that were replaced before they were taken. */
  #ended: AuditRecord[] = [];

  constructor(capacity = defaultCapacity) {
    this.#capacity = capacity;
  }

  /**
   * Counts a refusal; false when there is no room for it. `network` is where the caller is, by default its address. Attack: a machine with a
   * network of IPv6 sends each request from another address, until there is no room for refusals of others.
   */
  add(record: AuditRecord, now: number, network = record.sourceAddress): boolean {
    const { actor, sourceAddress, action, project, resource, details } = record;
    const caller = JSON.stringify([actor, network]);
    const own = JSON.stringify([actor, sourceAddress, action, project, resource, details]);
    if (this.#count(own, now)) return true;
    const distinct = this.#ofCaller.get(caller) ?? 0;
    const isRest = distinct >= perCaller;
    const key = isRest ? `rest ${caller}` : own;
    if (isRest && this.#count(key, now)) return true;
    if (this.#windows.size + this.#ended.length >= this.#capacity) return false;
    // Texts of a request are slices of its URL and headers, which V8 keeps in memory as long as a slice. A clone has texts of its own.
    const shown = structuredClone(isRest ? { ...record, details: { others: true } } : record);
    this.#windows.set(key, { caller, begun: now, record: shown, count: 1, changed: true });
    this.#ofCaller.set(caller, distinct + 1);
    return true;
  }

  /** The records that are new or have counted further, each with its count; forgets windows that are over. */
  take(now: number): readonly AuditRecord[] {
    const changed = this.#ended;
    this.#ended = [];
    for (const [key, window] of this.#windows) {
      if (window.changed) {
        changed.push(recordOf(window));
        window.changed = false;
      }
      if (isOver(window, now)) this.#forget(key, window);
    }
    return changed;
  }

  #count(key: string, now: number): boolean {
    const window = this.#windows.get(key);
    if (window === undefined) return false;
    if (isOver(window, now)) {
      if (window.changed) this.#ended.push(recordOf(window));
      this.#forget(key, window);
      return false;
    }
    window.count += 1;
    window.changed = true;
    return true;
  }

  #forget(key: string, { caller }: Window): void {
    this.#windows.delete(key);
    const left = (this.#ofCaller.get(caller) ?? 1) - 1;
    if (left <= 0) this.#ofCaller.delete(caller);
    else this.#ofCaller.set(caller, left);
  }
}

function recordOf({ record, count }: Window): AuditRecord {
  return { ...record, details: { ...record.details, count } };
}

/** A clock that is set back must not leave windows open for as long as it was wrong: they would fill the memory, and refusals be dropped. */
function isOver({ begun }: Window, now: number): boolean {
  return Math.abs(now - begun) >= windowMs;
}
