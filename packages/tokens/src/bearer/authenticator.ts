import { hash } from 'node:crypto';
import { dnsLabelPattern, Problem } from '@platform/kernel';
import { LRUCache } from 'lru-cache';
import { readToken } from '../jws/read-token.ts';
import { accessKind } from '../kinds/access.ts';
import type { ExternalClaims } from '../kinds/external.ts';
import { sessionKind } from '../kinds/session.ts';
import { type Expectations, verifyOwn } from '../kinds/verify-own.ts';
import { matchController, uniqueMatch } from '../matching/unique-match.ts';
import type {
  ControllerDirectory,
  ServiceAccountDirectory,
  ServiceAccountRecord,
} from '../ports/directories.ts';
import type { EndedSessions } from '../ports/ended-sessions.ts';
import type { Principal, UserPrincipal } from '../principal.ts';
import { type Roles, userOf } from './roles.ts';
import { type VerifyExternalDeps, verifyExternal } from './verify-external.ts';

/** An external token that a service account presented without exchanging it (target `platform::deprecation`). */
export interface RawExternalToken {
  readonly issuer: string;
  readonly subject: string | undefined;
  readonly audience: string | readonly string[];
}

/** A raw token that a service account presented at its project while raw tokens are not allowed. */
export interface RefusedRawToken {
  readonly project: string;
  /** The e-mail address of the account. */
  readonly account: string;
  readonly issuer: string;
  readonly sourceAddress: string | null;
  readonly userAgent: string | null;
}

/** The dependencies of authentication. */
export interface AuthenticatorDeps extends VerifyExternalDeps {
  readonly controllers: ControllerDirectory;
  readonly serviceAccounts: ServiceAccountDirectory;
  readonly roles: Roles;
  readonly endedSessions: EndedSessions;
  /** `auth.allow_raw_external_tokens`. */
  readonly allowRawExternalTokens: boolean;
  /** Called once for each request that a raw token of a service account is accepted for. */
  readonly onRawExternalToken: (event: RawExternalToken) => void;
  /** Called once for each request that a raw token of a service account is refused for, because it has to be exchanged. */
  readonly onRefusedRawToken?: (event: RefusedRawToken) => void;
  /** Most own tokens remembered as verified; 10,000 unless given. */
  readonly cacheCapacity?: number;
}

/** Where a bearer token is presented. */
export interface BearerScope {
  /** The project that the path names; absent on endpoints that belong to no project. */
  readonly project?: string | undefined;
  /** Who presents it, for operators. */
  readonly source?: Pick<RefusedRawToken, 'sourceAddress' | 'userAgent'>;
}

/** Turns credentials into principals. */
export interface Authenticator {
  /**
   * Who presents this bearer token: the user of a session, the principal of an access token, the controller of
   * a raw token, or, at the endpoints of a project and while allowed, the service account of a raw token.
   * Throws the one `unauthenticated` Problem for everything else.
   */
  bearer(token: string, scope?: BearerScope): Promise<Principal>;
  /** The user of a session cookie: no other kind of token is taken from a cookie. Throws `unauthenticated`. */
  session(token: string): Promise<UserPrincipal>;
}

const defaultCacheCapacity = 10_000;

/** The principal of an own token that was verified, and when the token expires, in seconds since the epoch. */
interface Verified {
  readonly principal: Principal;
  readonly expires: number;
}

/** Creates the authenticator, with its cache of verified tokens. */
export function createAuthenticator(deps: AuthenticatorDeps): Authenticator {
  // Verified tokens, so that each is verified once and not with every request. The keys are hashes, so that a dump of the memory holds no
  // tokens. Refusals are not cached, so that only valid tokens take room.
  const verified = new LRUCache<string, Verified>({ max: deps.cacheCapacity ?? defaultCacheCapacity });

  /** The principal of an own token, from the cache or verified now; undefined when it does not verify. */
  function own(token: string): Principal | undefined {
    const now = Math.floor(deps.clock.now() / 1000);
    const key = hash('sha256', token, 'base64url');
    const known = verified.get(key);
    if (known !== undefined && known.expires > now) return known.principal;
    const fresh = openOwn(deps, token, { issuer: deps.issuer, audience: deps.issuer, now });
    if (fresh === undefined) verified.delete(key);
    else verified.set(key, fresh);
    return fresh?.principal;
  }

  /** Attack: a stolen session is used after its user logged out. Every request checks this, also for cached tokens. */
  async function requireSession({ uid, email, session }: UserPrincipal): Promise<void> {
    if (session === undefined) return;
    const { id, startedAt } = session;
    const ended = deps.endedSessions.hasEnded({ id, uid, email, startedAt });
    // No promise where the answer is in memory: this is on the path of every request.
    if (!(typeof ended === 'boolean' ? ended : await ended)) return;
    deps.onRefused?.('session_ended');
    throw unauthenticated();
  }

  return {
    async bearer(token, scope = {}) {
      const principal = own(token) ?? (await openExternal(deps, token, scope));
      if (principal === undefined) throw unauthenticated();
      if (isUser(principal)) await requireSession(principal);
      return principal;
    },
    async session(token) {
      const principal = own(token);
      if (principal !== undefined && isUser(principal)) {
        await requireSession(principal);
        return principal;
      }
      deps.onRefused?.(readToken(token) === undefined ? 'malformed' : 'issued_here');
      throw unauthenticated();
    },
  };
}

/** The header's unverified `typ` only chooses the verifier, which then pins everything. */
function openOwn(deps: AuthenticatorDeps, token: string, expected: Expectations): Verified | undefined {
  if (readToken(token)?.header.typ === accessKind.typ) {
    const access = verifyOwn(accessKind, token, expected, deps.signatures);
    if (!access.ok) return undefined;
    return { principal: Object.freeze(access.claims.principal), expires: access.claims.exp };
  }
  const session = verifyOwn(sessionKind, token, expected, deps.signatures);
  if (!session.ok) return undefined;
  return { principal: userOf(token, session.claims, deps.roles), expires: session.claims.exp };
}

function isUser(principal: Principal): principal is UserPrincipal {
  return principal.type === 'user' || principal.type === 'operator';
}

async function openExternal(
  deps: AuthenticatorDeps,
  token: string,
  scope: BearerScope,
): Promise<Principal | undefined> {
  const claims = await verifyExternal(deps, token);
  if (claims === undefined) return undefined;
  const principal = await principalOf(deps, claims, scope);
  if (principal === undefined) deps.onRefused?.('no_match');
  return principal;
}

async function principalOf(
  deps: AuthenticatorDeps,
  claims: ExternalClaims,
  scope: BearerScope,
): Promise<Principal | undefined> {
  const controller = matchController(deps.controllers.entries(), claims);
  if (controller.outcome === 'one') return { type: 'controller', id: controller.value.id };
  // A token that matches several controllers is rejected, and a controller's token is never accepted for a service account.
  if (controller.outcome === 'several') return undefined;
  const { project, source = { sourceAddress: null, userAgent: null } } = scope;
  if (project === undefined || !dnsLabelPattern.test(project)) return undefined;
  const account = await matchRawServiceAccount(deps, claims, project);
  if (account === undefined) return undefined;
  const { uid, email } = account;
  if (!deps.allowRawExternalTokens) {
    deps.onRefusedRawToken?.({ project, account: email, issuer: claims.iss, ...source });
    return undefined;
  }
  deps.onRawExternalToken({ issuer: claims.iss, subject: claims.sub, audience: claims.aud });
  return { type: 'service_account', uid, email, project };
}

/**
 * Attack: a tenant registers an account with the issuer and claims of another tenant's, to be taken for it or
 * to make its tokens ambiguous. So a raw token is only ever matched within the project that the path names.
 */
async function matchRawServiceAccount(
  deps: AuthenticatorDeps,
  claims: ExternalClaims,
  project: string,
): Promise<ServiceAccountRecord | undefined> {
  const accounts = await deps.serviceAccounts.listByIssuer(project, claims.iss);
  const account = uniqueMatch(
    accounts.filter((candidate) => candidate.issuerUrl === claims.iss && candidate.project === project),
    claims,
  );
  return account.outcome === 'one' ? account.value : undefined;
}

/** The same refusal, whatever is wrong with the credentials. */
function unauthenticated(): Problem {
  return new Problem('unauthenticated', 'The credentials are missing, invalid or expired.');
}
