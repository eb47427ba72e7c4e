import type { Resource } from '@platform/resources';

/** Why a subscription gets nothing until its spec changes. */
export type PauseReason = 'DeliveryFailed' | 'Gone' | 'ChangesExpired' | 'SecretUnreadable';

/** The phase that the status of a subscription tells. Without trouble, nothing is written there. */
export type Phase = 'Active' | 'Retrying' | 'Suspended' | PauseReason;

/** How far the delivery of one subscription is. It is stored, so that another leader goes on from here. Times are milliseconds. */
export interface DeliveryState {
  /** The point of the change log up to which everything was delivered. */
  readonly cursor: string;
  /** The generation of the subscription that the state is for: a later one ends a pause. */
  readonly generation: number;
  /** Attempts in a row that failed. */
  readonly attempts: number;
  /** When the first of them failed; null when the last attempt succeeded. */
  readonly failingSince: number | null;
  /** Not before then. */
  readonly nextAttemptAt: number;
  /** Why the last attempt failed. */
  readonly failure: string | null;
  readonly paused: PauseReason | null;
  /** The phase that was written to the status. */
  readonly reported: Phase;
}

/** A live Subscription as it is stored, with its state; null before its delivery began. */
export interface StoredSubscription {
  readonly resource: Resource;
  readonly state: DeliveryState | null;
}

/** The state of a subscription that begins, or goes on after a pause: nothing has failed. */
export function initialState(cursor: string, generation: number, reported: Phase = 'Active'): DeliveryState {
  return {
    cursor,
    generation,
    reported,
    attempts: 0,
    failingSince: null,
    nextAttemptAt: 0,
    failure: null,
    paused: null,
  };
}
