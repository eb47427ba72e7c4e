import type { Actor, EffectiveBinding } from '@platform/access';

/** A user listed in `auth.operator_users`. May do everything except change reserved finalizers. */
export interface Operator {
  readonly type: 'operator';
  readonly email: string;
}

/** The access that bindings give a caller, at one version of roles and bindings. */
export interface CallerAccess {
  readonly version: string;
  readonly bindings: readonly EffectiveBinding[];
}

/** A controller with its configured id. May write status and finalizers of collections that list it, and what bindings grant. */
export interface Controller {
  readonly type: 'controller';
  readonly id: string;
  /** Whether it may also read these collections (`read` in `auth.controllers`). */
  readonly reads?: boolean;
  /** Absent for a controller that no binding names. */
  readonly access?: CallerAccess;
}

/** A user or a service account. May do what bindings grant. */
export interface BoundCaller {
  readonly type: 'user' | 'service_account';
  readonly email: string;
  readonly access: CallerAccess;
}

/** The caller of the resource API. */
export type Caller = Operator | Controller | BoundCaller;

/** The caller as an actor of audit records. */
export function actorOf(caller: Caller): Actor {
  return { type: caller.type, id: caller.type === 'controller' ? caller.id : caller.email };
}

const slotPrefixes = { operator: 'operator', user: 'user', service_account: 'serviceaccount' } as const;

/** The status slot that a caller writes by default. */
export function ownSlot(caller: Caller): string {
  return caller.type === 'controller' ? caller.id : `${slotPrefixes[caller.type]}:${caller.email}`;
}
