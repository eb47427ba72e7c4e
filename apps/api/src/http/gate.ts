import { Problem } from '@platform/kernel';
import type { Request } from 'express';
import type { Access } from '../routes/route.ts';
import type { Authenticator, Principal } from './authenticator.ts';
import { type CookiePolicy, credentialOf } from './credential.ts';

/** Lets a caller in, or refuses with `unauthenticated` (401) or `forbidden` (403); null for public endpoints. */
export type Gate = (access: Access, request: Request) => Principal | null | Promise<Principal | null>;

/** The gate in front of every endpoint. It looks at headers only, so nothing of path or body can show through a refusal. */
export function createGate(authenticator: Authenticator, cookie: CookiePolicy): Gate {
  return (access, request) => {
    if (access === 'public') return null;
    const credential = credentialOf(request, cookie);
    if (credential === null) throw new Problem('unauthenticated', 'A valid bearer token is required.');
    const principal = authenticator.authenticate(credential);
    return principal instanceof Promise
      ? principal.then((known) => admit(access, known, request))
      : admit(access, principal, request);
  };
}

function admit(access: Access, principal: Principal, request: Request): Principal {
  // Set before refusing, so that the refusal can be recorded with who was refused.
  request.exchange.principal = principal;
  if (access === 'user' && principal.type !== 'user') throw forbidden();
  if (access === 'platform' && !isPlatformCaller(principal)) throw forbidden();
  return principal;
}

function isPlatformCaller(principal: Principal): boolean {
  return principal.type === 'controller' || (principal.type === 'user' && principal.operator);
}

// Collections must not be probed for existence: this says the same whatever was asked for (contract 2, decision 1).
function forbidden(): Problem {
  return new Problem('forbidden', 'The caller has no access to this API.');
}
