import { StorageUnavailable } from '@platform/kernel';
import { shuttingDown } from './sqlstate.ts';

/** Limits of an {@link AdmissionQueue}. */
export interface AdmissionLimits {
  /** Units of work that run at the same time: one for each connection. */
  readonly maxRunning: number;
  /** Units of work that wait. */
  readonly maxWaiting: number;
  /** Bytes of their parameters and documents, since one unit may have a megabyte. */
  readonly maxWaitingBytes: number;
  /** How long a unit waits. */
  readonly maxWaitMs: number;
}

/** Work of one kind that waits in the queue. */
export interface Flow {
  /** When the first unit began to wait, if one could start now; else null. */
  readonly readySince: number | null;
  /** Starts a unit, or several as a batch, and calls `done` when their connection is free again. */
  start(done: () => void): void;
  /** Refuses the units that have waited since `before` or longer. */
  refuse(before: number, error: StorageUnavailable): void;
}

/**
 * The one queue in front of the connections of a process. Work is divided into flows, as in the API Priority and Fairness of Kubernetes:
 * each flow has a limit for what runs at the same time, so that a kind of work that takes long leaves connections to the others. When
 * a connection is free, the unit that has waited longest starts, among those of flows below their limit.
 */
export class AdmissionQueue {
  readonly #limits: AdmissionLimits;
  readonly #flows: Flow[] = [];
  #running = 0;
  #waiting = 0;
  #waitingBytes = 0;
  #timer: NodeJS.Timeout | null = null;
  #closed: (() => void) | null = null;

  constructor(limits: AdmissionLimits) {
    this.#limits = limits;
  }

  /** Units and batches that run, and units that wait. */
  get load(): { readonly active: number; readonly waiting: number } {
    return { active: this.#running, waiting: this.#waiting };
  }

  /** Adds a flow; flows are never removed. */
  add(flow: Flow): void {
    this.#flows.push(flow);
  }

  /** Counts a unit that waits from now on. @throws StorageUnavailable when the queue is full or closed. */
  enter(bytes: number): void {
    if (this.#closed !== null) throw shuttingDown();
    const { maxWaiting, maxWaitingBytes } = this.#limits;
    if (this.#waiting >= maxWaiting || this.#waitingBytes + bytes > maxWaitingBytes) throw overloaded();
    this.#waiting += 1;
    this.#waitingBytes += bytes;
    this.#timer ??= setInterval(() => this.#expire(), Math.max(1, this.#limits.maxWaitMs / 8)).unref();
  }

  /** Counts units that have started or were refused. */
  leave(count: number, bytes: number): void {
    this.#waiting -= count;
    this.#waitingBytes -= bytes;
  }

  /** Starts the units for which connections are free. */
  dispatch(): void {
    while (this.#running < this.#limits.maxRunning) {
      const flow = this.#longestWaiting();
      if (flow === null) return;
      this.#running += 1;
      flow.start(() => this.#done());
    }
  }

  /** Refuses all units that wait now. */
  refuseWaiting(error: StorageUnavailable): void {
    for (const flow of this.#flows) flow.refuse(Number.POSITIVE_INFINITY, error);
  }

  /** Refuses new units from now on. Resolves when those that run or wait already are done. */
  close(): Promise<void> {
    return new Promise((resolve) => {
      this.#closed = resolve;
      this.#finishClosing();
    });
  }

  #done(): void {
    this.#running -= 1;
    this.dispatch();
    this.#finishClosing();
  }

  #finishClosing(): void {
    if (this.#running === 0 && this.#waiting === 0) this.#closed?.();
  }

  #longestWaiting(): Flow | null {
    let first: Flow | null = null;
    let since = Number.POSITIVE_INFINITY;
    for (const flow of this.#flows) {
      const { readySince } = flow;
      if (readySince !== null && readySince < since) {
        first = flow;
        since = readySince;
      }
    }
    return first;
  }

  #expire(): void {
    const before = performance.now() - this.#limits.maxWaitMs;
    for (const flow of this.#flows) flow.refuse(before, overloaded());
    this.#finishClosing();
    if (this.#waiting > 0) return;
    clearInterval(this.#timer ?? undefined);
    this.#timer = null;
  }
}

function overloaded(): StorageUnavailable {
  return new StorageUnavailable('The database is too busy.');
}
