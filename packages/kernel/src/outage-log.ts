import type { Clock } from './clock.ts';
import { explainError, StorageError } from './storage-error.ts';
import type { LogFields, Logger } from './telemetry.ts';

/** The phrases of one kind of work that an outage interrupts. */
export interface OutagePhrases {
  readonly began: string;
  readonly ended: string;
}

/** Milliseconds between two lines of one outage: for another reason, and for the same one. */
const repeatMs = { other: 60_000, same: 600_000 };

/**
 * Logs the outages of work that is tried again until it succeeds: one line when an outage begins and one when it ends, not one for each
 * attempt. Each has the reason in one line and no stack.
 */
export class OutageLog {
  readonly #logger: Logger | undefined;
  readonly #phrases: OutagePhrases;
  readonly #clock: Clock;
  #beganAt: number | null = null;
  #loggedAt = 0;
  #reason = '';

  /** `clock` must not jump. */
  constructor(logger: Logger | undefined, phrases: OutagePhrases, clock: Clock) {
    this.#logger = logger;
    this.#phrases = phrases;
    this.#clock = clock;
  }

  /** Notes a failed attempt. Returns false for an error that is no outage of the database; the caller logs it. */
  note(error: unknown, fields: LogFields = {}): boolean {
    if (!(error instanceof StorageError)) return false;
    this.noteReason(explainError(error), fields);
    return true;
  }

  /** Notes an attempt that failed for this reason. */
  noteReason(reason: string, fields: LogFields = {}): void {
    const now = this.#clock.now();
    const quietMs = reason === this.#reason ? repeatMs.same : repeatMs.other;
    if (this.#beganAt !== null && now - this.#loggedAt < quietMs) return;
    this.#beganAt ??= now;
    this.#loggedAt = now;
    this.#reason = reason;
    this.#logger?.warn(this.#phrases.began, { ...fields, reason });
  }

  /** Notes a success. */
  end(): void {
    if (this.#beganAt === null) return;
    const seconds = Math.round((this.#clock.now() - this.#beganAt) / 1_000);
    this.#beganAt = null;
    this.#logger?.info(this.#phrases.ended, { seconds });
  }
}
