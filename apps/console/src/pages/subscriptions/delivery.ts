import type { Resource } from '../../api/resource.ts';
import { type State, slotsOf } from '../../logic/state.ts';

export interface Subscription extends Resource {
  readonly spec: {
    readonly url: string;
    readonly suspend?: boolean | null;
    readonly selector?: {
      readonly kinds?: readonly (string | { readonly kind: string })[] | null;
      readonly labelSelector?: string | null;
      readonly scope?: { readonly kind: string; readonly name: string } | null;
    } | null;
  } & Record<string, unknown>;
}

/** Whether events are delivered, and why not. */
export interface Delivery {
  readonly state: State;
  readonly word: string;
  /** Why it is retried or paused, in the words of the server. */
  readonly message: string | null;
  /** Whether a changed spec makes it go on. */
  readonly canResume: boolean;
}

/** Reads the condition that the collector writes; it writes nothing while there is no trouble. */
export function deliveryOf(subscription: Subscription): Delivery {
  const conditions = slotsOf(subscription).flatMap((slot) => slot.conditions);
  const condition = conditions.find(({ type }) => type === 'Delivering');
  if (subscription.spec.suspend === true) {
    return { state: 'unknown', word: 'Suspended', message: null, canResume: true };
  }
  const isBehind = (condition?.observedGeneration ?? Infinity) < subscription.metadata.generation;
  if (condition === undefined || condition.status === 'True') {
    return { state: 'ready', word: 'Delivering', message: null, canResume: false };
  }
  // The status is that of the spec before, and a changed spec ends every pause.
  if (isBehind || condition.reason === 'Suspended') {
    return { state: 'progressing', word: 'Resuming', message: null, canResume: false };
  }
  const message = condition.message ?? null;
  if (condition.reason === 'Retrying')
    return { state: 'warning', word: 'Retrying', message, canResume: false };
  return { state: 'failed', word: `Paused: ${condition.reason ?? 'unknown'}`, message, canResume: true };
}

/** Describes the selection that is delivered. */
export function selectionOf({ spec: { selector } }: Subscription): string {
  const kinds = selector?.kinds ?? [];
  const parts = [
    kinds.length === 0
      ? 'every kind'
      : kinds.map((one) => (typeof one === 'string' ? one : one.kind)).join(', '),
    ...(selector?.labelSelector ? [`with ${selector.labelSelector}`] : []),
    ...(selector?.scope == null ? [] : [`below ${selector.scope.kind} ${selector.scope.name}`]),
  ];
  return parts.join(' ');
}
