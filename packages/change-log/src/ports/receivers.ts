import type { Fence } from '@platform/garbage-collector';
import type { PauseReason, Phase } from '../model/subscription.ts';

/** Signs messages as Standard Webhooks. */
export interface WebhookSigner {
  /** Must return the value of `webhook-signature` for a message; `at` is in milliseconds. */
  sign(secret: string, message: { readonly id: string; readonly at: number; readonly body: string }): string;
}

/** The content of the status of a subscription. */
export interface DeliveryReport {
  readonly phase: Phase;
  readonly message: string;
  readonly generation: number;
  /** When events began to be delivered, or ceased to be (RFC 3339). */
  readonly since: string;
}

/** Writes the status of subscriptions. */
export interface StatusWriter {
  /**
   * Must write the report to the slot of the platform and return true, in one step, while the fence holds, also when the subscription is gone;
   * must return false and write nothing when another process leads.
   */
  report(uid: string, report: DeliveryReport, fence: Fence): Promise<boolean>;
}

/** The metrics of deliveries. */
export interface DeliveryMetrics {
  /** An attempt, and the seconds that it took. */
  delivered(outcome: 'delivered' | 'failed', seconds: number): void;
  /** A subscription was paused. */
  paused(reason: PauseReason): void;
  /** How many subscriptions there are of each state; all zero in a process that does not lead. */
  subscriptions(counts: Readonly<Record<'active' | 'failing' | 'paused' | 'suspended', number>>): void;
  /** How long the subscription that fails for the longest time has failed. */
  failingFor(seconds: number): void;
}
