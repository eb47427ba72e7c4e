import type { Collection } from '../collection.ts';
import { isPlatformError } from '../http/platform-error.ts';
import type { Resource } from '../model/resource.ts';
import type { Timers } from '../timers.ts';

/** `spec` of a Lease. */
export interface LeaseSpec {
  holderIdentity?: string | null;
  leaseDurationSeconds?: number | null;
  acquireTime?: string | null;
  renewTime?: string | null;
  leaseTransitions?: number | null;
}

/** The dependencies and settings of a lock. */
export interface LeaseLockOptions {
  readonly leases: Collection<LeaseSpec>;
  readonly name: string;
  readonly identity: string;
  readonly leaseDurationMs: number;
  readonly timers: Timers;
}

/**
 * A Lease as a lock. Every write names the revision that it is based on, so of two replicas that want it at the same time one is refused.
 * Clocks of different machines are never compared: a lease counts as expired when this replica has not seen it change for its duration.
 */
export class LeaseLock {
  readonly #options: LeaseLockOptions;
  #observed: Resource<LeaseSpec> | undefined;
  #isExpired = false;
  #cancelExpiry = () => {};

  constructor(options: LeaseLockOptions) {
    this.#options = options;
  }

  /** Who held the lease when it was last seen. */
  get holder(): string | undefined {
    return this.#observed?.spec.holderIdentity || undefined;
  }

  /** Acquires or renews the lease. False when another replica has it. */
  async tryAcquireOrRenew(signal: AbortSignal): Promise<boolean> {
    const { leases, name, identity } = this.#options;
    const known = this.#observed;
    if (known !== undefined && this.holder === identity && (await this.#write(known, signal))) return true;
    const stored = await leases.get(name, { signal }).catch((error: unknown) => {
      if (isPlatformError(error, 'not_found')) return undefined;
      throw error;
    });
    if (stored === undefined) return await this.#create(signal);
    if (stored.metadata.uid !== known?.metadata.uid || stored.metadata.revision !== known.metadata.revision) {
      this.#observe(stored);
    }
    const isFree = this.holder === undefined || this.holder === identity || this.#isExpired;
    return isFree && (await this.#write(stored, signal));
  }

  /** Gives the lease back, so that another replica leads at once. */
  async release(signal: AbortSignal): Promise<void> {
    this.#cancelExpiry();
    const held = this.#observed;
    if (held === undefined || this.holder !== this.#options.identity) return;
    const spec = { ...held.spec, holderIdentity: '', leaseDurationSeconds: 1, renewTime: this.#now() };
    this.#observed = await this.#options.leases.replace({ ...held, spec }, { signal });
  }

  /** Stops the timer. */
  close(): void {
    this.#cancelExpiry();
  }

  async #create(signal: AbortSignal): Promise<boolean> {
    const { leases, name } = this.#options;
    const spec = this.#specAfter({});
    try {
      this.#observe(
        await leases.create(
          { apiVersion: 'platform.dev/v1alpha1', kind: 'Lease', metadata: { name }, spec },
          { signal },
        ),
      );
      return true;
    } catch (error) {
      if (isPlatformError(error, 'already_exists')) return false;
      throw error;
    }
  }

  /** False when somebody else has written the lease since, or removed it. */
  async #write(stored: Resource<LeaseSpec>, signal: AbortSignal): Promise<boolean> {
    try {
      const spec = this.#specAfter(stored.spec);
      this.#observe(await this.#options.leases.replace({ ...stored, spec }, { signal }));
      return true;
    } catch (error) {
      if (isPlatformError(error, 'revision_conflict') || isPlatformError(error, 'not_found')) return false;
      throw error;
    }
  }

  #specAfter(before: LeaseSpec): LeaseSpec {
    const { identity, leaseDurationMs } = this.#options;
    const now = this.#now();
    const isRenewal = before.holderIdentity === identity;
    const { acquireTime, leaseTransitions } = before;
    return {
      ...before,
      holderIdentity: identity,
      leaseDurationSeconds: Math.ceil(leaseDurationMs / 1_000),
      acquireTime: isRenewal ? (acquireTime ?? now) : now,
      renewTime: now,
      leaseTransitions: (leaseTransitions ?? 0) + (isRenewal || acquireTime == null ? 0 : 1),
    };
  }

  #observe(lease: Resource<LeaseSpec>): void {
    const { timers, leaseDurationMs } = this.#options;
    this.#cancelExpiry();
    this.#observed = lease;
    this.#isExpired = false;
    const durationMs = (lease.spec.leaseDurationSeconds ?? leaseDurationMs / 1_000) * 1_000;
    // A timer instead of a comparison of times, because the clock of the machine may jump.
    this.#cancelExpiry = timers.after(durationMs, () => {
      this.#isExpired = true;
    });
  }

  /** For people: nobody compares it. */
  #now(): string {
    return new Date(this.#options.timers.now()).toISOString();
  }
}
