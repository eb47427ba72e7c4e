import { Problem } from '@platform/kernel';
import type { Actor, Caller } from '@platform/resources';
import type { Principal } from '@platform/tokens';

/** The principal as the generic API knows it. The gate lets nobody else through; if it did, this would not. */
export function callerOf(principal: Principal | null): Caller {
  if (principal?.type === 'operator') return { type: 'operator', email: principal.email };
  if (principal?.type === 'controller') return { type: 'controller', id: principal.id };
  throw new Problem('forbidden', 'The caller has no access to this API.');
}

/** Who was refused, for the audit log. */
export function refusedActor(principal: Principal | null): Actor {
  if (principal === null) return { type: 'anonymous', id: '' };
  return { type: principal.type, id: principal.type === 'controller' ? principal.id : principal.email };
}
