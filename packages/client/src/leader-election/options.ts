import type { PlatformClient } from '../client.ts';

/** Elects one leader among the replicas of a controller, by a Lease of the platform. */
export interface LeaderElectionOptions {
  /** The Organization that has the Lease. */
  readonly organization: string;
  /** The name of the Lease; it is created when it does not exist. All replicas name the same one. */
  readonly lease: string;
  /** Names this replica. No two replicas may have the same, such as the name of the pod. */
  readonly identity: string;
  /** Needs `get`, `create` and `update` on `leases` in the Organization; the writer by default. */
  readonly client?: PlatformClient;
  /** How long other replicas wait after the last renewal, in milliseconds; 15,000 by default. */
  readonly leaseDurationMs?: number;
  /** A leader that could not renew for this long stops, in milliseconds; 10,000 by default. Less than the lease, so that it has stopped when another begins. */
  readonly renewDeadlineMs?: number;
  /** Between two attempts, in milliseconds; 2,000 by default. */
  readonly retryPeriodMs?: number;
  /** Called when this replica begins or stops to lead, with the holder of the lease if it is known. */
  onChange?(leads: boolean, holder: string | undefined): void;
}

/** The times of an election, complete. */
export interface ElectionTimes {
  readonly leaseDurationMs: number;
  readonly renewDeadlineMs: number;
  readonly retryPeriodMs: number;
}

/** Attempts are spread, so that the replicas do not all ask at the same moment, as in client-go. */
export const jitter = 1.2;

/** The times with their defaults. Throws a TypeError when two could lead, or the leader could not renew in time. */
export function electionTimes({
  leaseDurationMs = 15_000,
  renewDeadlineMs = 10_000,
  retryPeriodMs = 2_000,
}: Partial<ElectionTimes>): ElectionTimes {
  if (!(leaseDurationMs > renewDeadlineMs)) {
    throw new TypeError('leaseDurationMs must be greater than renewDeadlineMs: otherwise two replicas lead');
  }
  if (!(renewDeadlineMs > retryPeriodMs * jitter)) {
    throw new TypeError(
      `renewDeadlineMs must be greater than ${jitter} times retryPeriodMs: otherwise the lease is never renewed in time`,
    );
  }
  if (!(retryPeriodMs > 0)) throw new TypeError('retryPeriodMs must be greater than 0');
  return { leaseDurationMs, renewDeadlineMs, retryPeriodMs };
}
