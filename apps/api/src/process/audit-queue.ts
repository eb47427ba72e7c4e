import {
  type AuditRecord,
  type AuditStore,
  type AuditTrail,
  auditRecord,
  RefusalCounter,
} from '@platform/access';
import { backoff, type Clock, type Logger, monotonicClock, OutageLog } from '@platform/kernel';
import type { Identifiers } from '@platform/resources';
import { callerOf } from './rate-limiter.ts';

/** Milliseconds that records wait before they are written, at most. */
const flushMs = 250;
/** Records of one statement. */
const batchSize = 500;
/** Records that wait at most, at about 1 KiB each: two minutes of an outage at a hundred a second. */
const defaultCapacity = 10_000;
const pause = { firstMs: 500, longestMs: 10_000 };
/** Milliseconds that a stop of the process waits for the last records. */
const closeMs = 3_000;
const phrases = { began: 'audit records are not stored yet', ended: 'audit records are stored again' };

/** The dependencies of the queue. */
export interface AuditQueueDeps {
  readonly store: Pick<AuditStore, 'append'>;
  readonly identifiers: Pick<Identifiers, 'uid'>;
  readonly clock: Clock;
  readonly log: Logger;
  /** Called with the number of records that could not be kept. */
  readonly onDropped: (count: number) => void;
  readonly capacity?: number;
}

/**
 * Stores audit records in batches, behind the answers. Bounded: while the database is away, records beyond the capacity are dropped and
 * counted. Refusals go through a counter, so that identical ones are one record.
 */
export class AuditQueue implements AuditTrail {
  readonly #deps: AuditQueueDeps;
  readonly #capacity: number;
  readonly #refusals = new RefusalCounter();
  #waiting: AuditRecord[] = [];
  #timer: NodeJS.Timeout | null = null;
  #writing: Promise<void> | null = null;
  #failures = 0;
  readonly #outage: OutageLog;
  #isClosing = false;
  /** Whether something was recorded after the last look at the refusals. */
  #isRecorded = false;

  constructor(deps: AuditQueueDeps) {
    this.#deps = deps;
    this.#capacity = deps.capacity ?? defaultCapacity;
    this.#outage = new OutageLog(deps.log, phrases, monotonicClock);
  }

  record(...[entry, origin]: Parameters<AuditTrail['record']>): void {
    const { identifiers, clock } = this.#deps;
    const now = clock.now();
    const record = auditRecord(entry, origin, { id: identifiers.uid(), time: now });
    const kept = record.outcome === 'denied' ? this.#addRefusal(record, now) : this.#push(record);
    if (!kept) this.#deps.onDropped(1);
    this.#isRecorded = true;
    this.#schedule(flushMs);
  }

  /** Writes what is waiting, and waits for it at most three seconds. */
  async close(): Promise<void> {
    this.#isClosing = true;
    if (this.#timer !== null) clearTimeout(this.#timer);
    const last = (async () => {
      await this.#writing;
      await this.#flush();
    })();
    await Promise.race([last, new Promise((resolve) => setTimeout(resolve, closeMs).unref())]);
    if (this.#waiting.length === 0) return;
    this.#deps.onDropped(this.#waiting.length);
    // The process ends before anybody reads its metrics.
    this.#deps.log.error('audit records are lost', { records: this.#waiting.length });
  }

  #addRefusal(record: AuditRecord, now: number): boolean {
    const { sourceAddress } = record;
    return this.#refusals.add(record, now, sourceAddress === null ? null : callerOf(sourceAddress));
  }

  #push(record: AuditRecord): boolean {
    if (this.#waiting.length >= this.#capacity) return false;
    this.#waiting.push(record);
    return true;
  }

  #schedule(delayMs: number): void {
    // `close` writes the rest. A second writer at the same time would take records off the queue that are not written.
    if (this.#isClosing || this.#timer !== null || this.#writing !== null) return;
    this.#timer = setTimeout(() => {
      this.#timer = null;
      this.#writing = this.#flush().finally(() => {
        this.#writing = null;
        const delay = this.#failures === 0 ? flushMs : backoff(this.#failures - 1, pause);
        if (this.#waiting.length > 0 || this.#isRecorded) this.#schedule(delay);
      });
    }, delayMs);
    this.#timer.unref();
  }

  async #flush(): Promise<void> {
    this.#isRecorded = false;
    // The newer count of a refusal replaces the stored one.
    for (const refusal of this.#refusals.take(this.#deps.clock.now())) {
      if (!this.#push(refusal)) this.#deps.onDropped(1);
    }
    while (this.#waiting.length > 0) {
      const batch = this.#waiting.slice(0, batchSize);
      try {
        await this.#deps.store.append(oneOfEach(batch));
        this.#waiting = this.#waiting.slice(batch.length);
        this.#failures = 0;
        this.#outage.end();
      } catch (error) {
        this.#failures += 1;
        const waiting = this.#waiting.length;
        if (!this.#outage.note(error, { waiting })) this.#deps.log.warn(phrases.began, { waiting, error });
        return;
      }
    }
  }
}

/** The last record of each id: one statement cannot write a row twice. */
function oneOfEach(records: readonly AuditRecord[]): readonly AuditRecord[] {
  return [...new Map(records.map((record) => [record.id, record])).values()];
}
