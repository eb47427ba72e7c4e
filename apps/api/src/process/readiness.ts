import { outageReason } from '@platform/kernel';
import type { Readiness } from '../routes/operations/probes.ts';

/** The state of the process, and a check of the database. */
export class ServiceState implements Readiness {
  #prepared = false;
  readonly #stop = new AbortController();
  readonly #ping: () => Promise<void>;
  #checking: Promise<void> | undefined;

  /** `ping` must reject, within a bounded time, when the database does not answer. */
  constructor(ping: () => Promise<void>) {
    this.#ping = ping;
  }

  /** The database is migrated and bootstrapped. */
  prepared(): void {
    this.#prepared = true;
  }

  /** The process was asked to stop; it still serves what arrives on open connections. */
  stopping(): void {
    this.#stop.abort();
  }

  /** Aborts when the process was asked to stop. */
  get stopSignal(): AbortSignal {
    return this.#stop.signal;
  }

  /** Whether requests can be served at all. */
  readonly isOpen = (): boolean => this.#prepared;

  /** Attack: anonymous clients that ask for readiness take all database connections. Requests that arrive together share one check. */
  async #check(): Promise<void> {
    this.#checking ??= this.#ping().finally(() => {
      this.#checking = undefined;
    });
    await this.#checking;
  }

  async reasons(): Promise<readonly string[]> {
    const reasons: string[] = [];
    if (!this.#prepared) reasons.push('the database is not migrated and bootstrapped yet');
    if (this.#stop.signal.aborted) reasons.push('the service is stopping');
    try {
      await this.#check();
    } catch (error) {
      reasons.push(outageReason(error));
    }
    return reasons;
  }
}
