import { setTimeout as delay } from 'node:timers/promises';
import { CoordinationV1Api, V1MicroTime } from '@kubernetes/client-node';
import { endingWithin } from './deadline.js';

/**
 * Elects one leader among processes, with a Lease, in the way of client-go: a candidate takes a lease that its holder has not renewed for
 * `leaseMs`, measured by its own clock, and a leader stops when it could not renew for `renewDeadlineMs`, which is before others take over.
 */
export class LeaderElector {
  #leases;
  #options;
  #seen = { version: '', at: 0 };

  constructor(config, options) {
    this.#leases = config.makeApiClient(CoordinationV1Api);
    this.#options = { leaseMs: 15_000, renewDeadlineMs: 10_000, retryMs: 2_000, ...options };
  }

  /** Runs `lead` while this process is the leader, until the signal. `lead` gets a signal that ends with the leadership. */
  async run(lead, signal) {
    const { renewDeadlineMs, retryMs } = this.#options;
    while (!signal.aborted) {
      // The time before the request: the lease runs from a moment after it.
      let renewedAt = performance.now();
      if (!(await this.#acquireOrRenew(renewDeadlineMs))) {
        await pause(retryMs, signal);
        continue;
      }
      const leading = new AbortController();
      const work = lead(AbortSignal.any([signal, leading.signal]));
      const leftMs = () => renewedAt + renewDeadlineMs - performance.now();
      while (!signal.aborted && leftMs() > 0) {
        await pause(Math.min(retryMs, leftMs()), signal);
        const [startedAt, withinMs] = [performance.now(), leftMs()];
        if (!signal.aborted && withinMs > 0 && (await this.#acquireOrRenew(withinMs))) renewedAt = startedAt;
      }
      leading.abort();
      await work;
      if (signal.aborted) await this.#release();
    }
  }

  /** Whether this process holds the lease now. It is known within the time. */
  async #acquireOrRenew(withinMs) {
    const { namespace, name, identity, leaseMs } = this.#options;
    const options = endingWithin(withinMs);
    const now = new V1MicroTime();
    const mine = {
      holderIdentity: identity,
      leaseDurationSeconds: Math.ceil(leaseMs / 1_000),
      renewTime: now,
    };
    try {
      const lease = await this.#leases.readNamespacedLease({ namespace, name }, options);
      const { holderIdentity = '', acquireTime, leaseTransitions = 0 } = lease.spec ?? {};
      const version = lease.metadata?.resourceVersion ?? '';
      if (version !== this.#seen.version) this.#seen = { version, at: performance.now() };
      const isMine = holderIdentity === identity;
      if (!isMine && holderIdentity !== '' && performance.now() - this.#seen.at < leaseMs) return false;
      lease.spec = isMine
        ? { ...mine, acquireTime, leaseTransitions }
        : { ...mine, acquireTime: now, leaseTransitions: leaseTransitions + 1 };
      // The version in the metadata lets one of several candidates win: the others get 409.
      await this.#leases.replaceNamespacedLease({ namespace, name, body: lease }, options);
      return true;
    } catch (error) {
      if (error.code !== 404) return this.#failed(error);
    }
    const spec = { ...mine, acquireTime: now, leaseTransitions: 0 };
    const body = { apiVersion: 'coordination.k8s.io/v1', kind: 'Lease', metadata: { name }, spec };
    return this.#leases.createNamespacedLease({ namespace, body }, options).then(
      () => true,
      (error) => this.#failed(error),
    );
  }

  #failed(error) {
    if (error.code !== 409) console.error(`lease ${this.#options.name}: ${firstLineOf(error)}`);
    return false;
  }

  /** Lets another candidate take over at once. */
  async #release() {
    const { namespace, name, identity, retryMs } = this.#options;
    const options = endingWithin(retryMs);
    try {
      const lease = await this.#leases.readNamespacedLease({ namespace, name }, options);
      if (lease.spec?.holderIdentity !== identity) return;
      lease.spec = { ...lease.spec, holderIdentity: '', leaseDurationSeconds: 1 };
      await this.#leases.replaceNamespacedLease({ namespace, name, body: lease }, options);
    } catch (error) {
      this.#failed(error);
    }
  }
}

/** Waits, at most until the signal. */
export async function pause(milliseconds, signal) {
  await delay(milliseconds, undefined, { signal }).catch(() => undefined);
}

/** A failure in one line, without the headers of the response. */
export function firstLineOf(error) {
  return error.message.split('\n', 1)[0];
}
