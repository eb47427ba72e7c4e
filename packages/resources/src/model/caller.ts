/** A user listed in `auth.operator_users`. May do everything except change reserved finalizers. */
export interface Operator {
  readonly type: 'operator';
  readonly email: string;
}

/** A controller with its configured id. May write status and finalizers of collections that list it. */
export interface Controller {
  readonly type: 'controller';
  readonly id: string;
}

/** The caller of the resource API. Authentication refuses everyone else. */
export type Caller = Operator | Controller;

/**
 * The identity of a caller in an audit record. The collector and bootstrap act as `system`. The last three
 * have no access: they appear in `resource.access_denied` only.
 */
export interface Actor {
  readonly type: 'operator' | 'controller' | 'system' | 'user' | 'service_account' | 'anonymous';
  readonly id: string;
}

/** The caller as an actor of audit records. */
export function actorOf(caller: Caller): Actor {
  return caller.type === 'operator'
    ? { type: 'operator', id: caller.email }
    : { type: 'controller', id: caller.id };
}

/** The status slot that a caller writes by default. */
export function ownSlot(caller: Caller): string {
  return caller.type === 'operator' ? `operator:${caller.email}` : caller.id;
}
