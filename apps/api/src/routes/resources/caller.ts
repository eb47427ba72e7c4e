import { Problem } from '@platform/kernel';
import type { Actor, Caller } from '@platform/resources';
import type { Principal } from '@platform/tokens';

/** The principal as a caller of the generic API. Authentication lets only operators and controllers through; this checks it again. */
export function callerOf(principal: Principal | null, readingControllers: ReadonlySet<string>): Caller {
  if (principal?.type === 'operator') return { type: 'operator', email: principal.email };
  if (principal?.type === 'controller')
    return { type: 'controller', id: principal.id, reads: readingControllers.has(principal.id) };
  throw new Problem('forbidden', 'The caller has no access to this API.');
}

/** The principal of a refused request, for the audit log. */
export function refusedActor(principal: Principal | null): Actor {
  if (principal === null) return { type: 'anonymous', id: '' };
  return { type: principal.type, id: principal.type === 'controller' ? principal.id : principal.email };
}
