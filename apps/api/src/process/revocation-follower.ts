import type { Clock, Logger } from '@platform/kernel';
import type { EndedSessions, SessionFacts, SessionIdentity, UserPrincipal } from '@platform/tokens';
import { EndedSessionSet, keysOf, type SessionStore } from '@platform/tokens';

/** How long the memory counts as current after it was read: revocations take effect within a second on every replica. */
const freshMs = 900;
/** Interval of polls, for lost notifications and transaction poolers. */
const pollMs = 400;
/** Transactions do not commit in the order of their timestamps, but at most this much later, so each read goes back by this. */
const overlapMs = 30_000;
/** Revocations of one read. */
const pageSize = 5_000;
const dropExpiredMs = 60_000;

/** The dependencies of the follower. */
export interface RevocationFollowerDeps {
  readonly store: Pick<SessionStore, 'revocationsSince' | 'latestRevocations' | 'isRevoked'>;
  /** Calls the listener whenever there may be revocations to read. */
  readonly listen: (listener: () => void) => { close(): Promise<void> };
  readonly log: Logger;
  /** For intervals; it never jumps. */
  readonly monotonic: Clock;
  readonly clock: Clock;
  /** Revocations kept in memory. */
  readonly capacity?: number;
}

/**
 * Keeps the ended sessions of all replicas in the memory of this process, so that no request has to ask the database.
 *
 * While the database cannot be read, nobody can know whether a session was ended elsewhere: after a second, sessions are refused
 * with 503 `unavailable` rather than let in. Almost every other request fails then for the same reason.
 */
export class RevocationFollower implements EndedSessions {
  readonly #deps: RevocationFollowerDeps;
  readonly #set: EndedSessionSet;
  readonly #capacity: number;
  /** When the last successful read began; a commit before that is in memory. */
  #readAt = Number.NEGATIVE_INFINITY;
  /** The newest revocation in memory; null before the first read. */
  #newest: number | null = null;
  #reading: Promise<void> | null = null;
  #again = false;
  #droppedAt = 0;
  /** Revocations that expired before this time, by the clock of the machine, may have been dropped. */
  #droppedBefore = Number.NEGATIVE_INFINITY;
  #stop: (() => Promise<void>) | null = null;

  constructor(deps: RevocationFollowerDeps) {
    this.#deps = deps;
    this.#capacity = deps.capacity ?? 100_000;
    this.#set = new EndedSessionSet(this.#capacity);
  }

  /** Begins to follow; without it, each request that finds the memory old reads for itself. */
  start(): void {
    if (this.#stop !== null) return;
    const look = () => {
      this.#look().catch((error: unknown) => {
        this.#deps.log.debug('ended sessions were not read', { error });
      });
    };
    const timer = setInterval(look, pollMs);
    timer.unref();
    const listening = this.#deps.listen(look);
    this.#stop = async () => {
      clearInterval(timer);
      await listening.close();
      await this.#reading?.catch(() => undefined);
    };
  }

  async close(): Promise<void> {
    await this.#stop?.();
  }

  /** Rejects while ended sessions cannot be read, and so every session is refused. */
  async check(): Promise<void> {
    if (this.#deps.monotonic.now() - this.#readAt > freshMs) await this.#freshRead();
  }

  /**
   * Reads what was committed before the call, so that the process that ends a session refuses it as soon as it has answered. When that fails,
   * the session ends within a second, as on other replicas.
   */
  async catchUp(): Promise<void> {
    const calledAt = this.#deps.monotonic.now();
    try {
      // A read that is under way may have begun too early.
      await this.#reading?.catch(() => undefined);
      if (this.#readAt <= calledAt) await this.#sharedRead();
    } catch (error) {
      this.#deps.log.debug('ended sessions were not read', { error });
    }
  }

  hasEnded(session: SessionIdentity): boolean | Promise<boolean> {
    if (this.#deps.monotonic.now() - this.#readAt > freshMs) return this.#hasEndedAfterRead(session);
    const known = this.#set.has(session);
    return known === 'unknown' ? this.#deps.store.isRevoked(keysOf(session), session.startedAt) : known;
  }

  /**
   * Calls `ended` once when the session of the principal ends before it expires, within a second, whichever replica it was ended on.
   * Returns how to stop listening. For streams, which outlive the check at their beginning.
   */
  onEnded(
    { uid, email }: Pick<UserPrincipal, 'uid' | 'email'>,
    { id, startedAt }: Pick<SessionFacts, 'id' | 'startedAt'>,
    ended: () => void,
  ): () => void {
    return this.#set.listen({ id, uid, email, startedAt }, ended);
  }

  /** A notification that comes during a read is answered by one more read. */
  async #look(): Promise<void> {
    if (this.#reading !== null) {
      this.#again = true;
      return;
    }
    do {
      this.#again = false;
      await this.#sharedRead();
    } while (this.#again);
  }

  /** One read at a time; all who wait for it share it. */
  #sharedRead(): Promise<void> {
    this.#reading ??= this.#read().finally(() => {
      this.#reading = null;
    });
    return this.#reading;
  }

  async #read(): Promise<void> {
    const { store, monotonic, clock } = this.#deps;
    const begun = monotonic.now();
    // The clock was ahead and was set back: some of what was dropped has not expired.
    if (clock.now() < this.#droppedBefore) {
      this.#newest = null;
      this.#droppedBefore = Number.NEGATIVE_INFINITY;
    }
    if (this.#newest === null) await this.#readFirst();
    else {
      type Place = Parameters<typeof store.revocationsSince>[0];
      let since: Place = { revokedAt: this.#newest - overlapMs, key: '', recentMs: overlapMs };
      for (;;) {
        const page = await store.revocationsSince(since, pageSize);
        this.#set.add(page);
        const last = page.at(-1);
        if (last !== undefined) {
          since = { revokedAt: last.revokedAt, key: last.key };
          this.#newest = Math.max(this.#newest, last.revokedAt);
        }
        if (page.length < pageSize) break;
      }
    }
    this.#readAt = begun;
    if (begun - this.#droppedAt > dropExpiredMs) {
      this.#droppedAt = begun;
      this.#droppedBefore = clock.now();
      this.#set.dropExpired(this.#droppedBefore);
    }
  }

  async #readFirst(): Promise<void> {
    const latest = await this.#deps.store.latestRevocations(this.#capacity);
    const [oldest] = latest;
    if (latest.length === this.#capacity && oldest !== undefined) this.#set.forgetUntil(oldest.revokedAt);
    this.#set.add(latest);
    // An empty table says nothing of the clock of the database: the next read begins at its beginning.
    this.#newest = latest.at(-1)?.revokedAt ?? 0;
  }

  /** Waits for a read that began recently: for the one under way, and for a second one when that began too early. */
  async #freshRead(): Promise<void> {
    const wanted = this.#deps.monotonic.now() - freshMs;
    const joined = this.#reading;
    try {
      await this.#sharedRead();
    } catch (error) {
      // A read that was under way may have met an outage that is over by now.
      if (joined === null) throw error;
      await this.#sharedRead();
    }
    if (this.#readAt < wanted) await this.#sharedRead();
  }

  async #hasEndedAfterRead(session: SessionIdentity): Promise<boolean> {
    await this.#freshRead();
    const known = this.#set.has(session);
    return known === 'unknown' ? await this.#deps.store.isRevoked(keysOf(session), session.startedAt) : known;
  }
}
