/** An operator: a user listed in `auth.operator_users`. May do everything but touch reserved finalizers. */
export interface Operator {
  readonly type: 'operator';
  readonly email: string;
}

/** A controller with its configured identity. May write status and finalizers of collections that allow it. */
export interface Controller {
  readonly type: 'controller';
  readonly id: string;
}

/** Who asks. Everyone else was refused before the resource API is reached. */
export type Caller = Operator | Controller;

/**
 * The identity of a caller in an audit record; the collector and bootstrap act as `system`. The last three
 * are never let in: they appear in `resource.access_denied` only.
 */
export interface Actor {
  readonly type: 'operator' | 'controller' | 'system' | 'user' | 'service_account' | 'anonymous';
  readonly id: string;
}

/** The actor that a caller appears as in audit records. */
export function actorOf(caller: Caller): Actor {
  return caller.type === 'operator'
    ? { type: 'operator', id: caller.email }
    : { type: 'controller', id: caller.id };
}

/** The status slot that a caller writes when it names none. */
export function ownSlot(caller: Caller): string {
  return caller.type === 'operator' ? `operator:${caller.email}` : caller.id;
}
