import type { Fence } from '@platform/garbage-collector';
import type { DeliveryState, StoredSubscription } from '../model/subscription.ts';

/** The Subscriptions and how far each of them is. */
export interface SubscriptionStore {
  /** Must return every Subscription that is not being deleted, by name, with its state; at most `limit`. */
  list(limit: number): Promise<readonly StoredSubscription[]>;

  /**
   * Must write the state and return true, in one step, while the fence holds; must return false and write nothing when another process
   * leads, or when the subscription is gone.
   */
  save(uid: string, state: DeliveryState, fence: Fence): Promise<boolean>;

  /**
   * Must return the point of the change log after the creation of the resource, with a cursor of null while no tick shows it; null when the
   * log no longer has it.
   */
  createdAt(uid: string): Promise<{ readonly cursor: string | null } | null>;
}
