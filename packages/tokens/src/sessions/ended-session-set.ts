import type { SessionIdentity } from '../ports/ended-sessions.ts';
import { clockToleranceMs, keysOf, type Revocation } from './revocation.ts';

/** Revocations that are kept in memory, at about 200 bytes each. */
const defaultCapacity = 100_000;

/** A stream that wants to know when its session ends. */
interface Listener {
  readonly session: SessionIdentity;
  readonly ended: () => void;
}

/**
 * The revocations that a process knows. Bounded: beyond the capacity the oldest are forgotten, and sessions that are old enough to be
 * among those are `unknown` here; the database has to be asked about them.
 */
export class EndedSessionSet {
  readonly #capacity: number;
  /** In the order in which they were stored. */
  readonly #revocations = new Map<string, Revocation>();
  readonly #listeners = new Map<string, Set<Listener>>();
  /** Revocations stored up to this time may have been forgotten. */
  #forgottenUntil = Number.NEGATIVE_INFINITY;

  constructor(capacity = defaultCapacity) {
    this.#capacity = capacity;
  }

  get size(): number {
    return this.#revocations.size;
  }

  /** Whether the session has ended. */
  has(session: SessionIdentity): boolean | 'unknown' {
    if (this.#revocations.size > 0) {
      for (const key of keysOf(session)) {
        const revocation = this.#revocations.get(key);
        if (revocation !== undefined && session.startedAt <= revocation.endedUntil) return true;
      }
    }
    // A session can only be revoked after it has started. Those of earlier releases carry the clock of the process that issued them.
    return session.startedAt <= this.#forgottenUntil + clockToleranceMs ? 'unknown' : false;
  }

  /** Adds revocations in the order in which they were stored; repeated ones are fine. Tells the listeners of sessions that ended. */
  add(revocations: readonly Revocation[]): void {
    for (const revocation of revocations) {
      if (revocation.revokedAt <= this.#forgottenUntil) continue;
      const known = this.#revocations.get(revocation.key);
      if (known !== undefined && known.endedUntil >= revocation.endedUntil) continue;
      this.#revocations.delete(revocation.key);
      this.#revocations.set(revocation.key, revocation);
      this.#tell(revocation);
    }
    for (const [key, { revokedAt }] of this.#revocations) {
      if (this.#revocations.size <= this.#capacity) break;
      this.#revocations.delete(key);
      this.forgetUntil(revokedAt);
    }
  }

  /** Notes that revocations stored up to that time may be missing. */
  forgetUntil(revokedAt: number): void {
    this.#forgottenUntil = Math.max(this.#forgottenUntil, revokedAt);
  }

  /** Drops the revocations whose sessions have all expired, by every clock. */
  dropExpired(now: number): void {
    for (const [key, { expiresAt }] of this.#revocations) {
      if (expiresAt + clockToleranceMs <= now) this.#revocations.delete(key);
    }
  }

  /** Calls `ended` once when the session ends; returns how to stop listening. */
  listen(session: SessionIdentity, ended: () => void): () => void {
    const listener = { session, ended };
    for (const key of keysOf(session)) {
      const listeners = this.#listeners.get(key);
      if (listeners === undefined) this.#listeners.set(key, new Set([listener]));
      else listeners.add(listener);
    }
    return () => this.#forget(listener);
  }

  /** The keys are made again, because each stream would otherwise keep a copy of them. */
  #forget(listener: Listener): void {
    for (const key of keysOf(listener.session)) {
      const listeners = this.#listeners.get(key);
      if (listeners?.delete(listener) === true && listeners.size === 0) this.#listeners.delete(key);
    }
  }

  #tell({ key, endedUntil }: Revocation): void {
    for (const listener of [...(this.#listeners.get(key) ?? [])]) {
      if (listener.session.startedAt > endedUntil) continue;
      this.#forget(listener);
      listener.ended();
    }
  }
}
