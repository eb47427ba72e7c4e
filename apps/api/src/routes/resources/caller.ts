import { Problem } from '@platform/kernel';
import type { Identity } from '@platform/resources';
import type { Principal } from '@platform/tokens';

/** The principal as an identity of the generic API. Its tier and its bindings decide about its access. */
export function identityOf(principal: Principal | null, readingControllers: ReadonlySet<string>): Identity {
  switch (principal?.type) {
    case 'operator':
      return { type: 'operator', email: principal.email };
    case 'controller':
      return { type: 'controller', id: principal.id, reads: readingControllers.has(principal.id) };
    case 'service_account':
      return { type: 'service_account', email: principal.email, uid: principal.uid };
    case 'user': {
      const { email, session } = principal;
      return {
        type: 'user',
        email,
        emailVerified: session?.emailVerified ?? false,
        groups: session?.groups ?? [],
      };
    }
    case undefined:
      throw new Problem('unauthenticated', 'A valid bearer token is required.');
  }
}
