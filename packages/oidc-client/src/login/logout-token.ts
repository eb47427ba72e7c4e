import { type Clock, isProviderName, Problem } from '@platform/kernel';
import type { LogoutToken, LogoutTokenVerifier } from '@platform/tokens';
import { createLocalJWKSet, errors, type JWTPayload, jwtVerify } from 'jose';
import type { KeySet } from '../documents/key-sets.ts';
import type { ProviderDocuments } from '../documents/provider-documents.ts';
import { keySetFreshness, signatureAlgorithms } from '../upstream/verify-id-token.ts';

/** The dependencies of the verifier. */
export interface LogoutTokenVerifierDeps {
  /** `auth.issuer`. */
  readonly issuer: string;
  readonly clientId: string;
  readonly documents: ProviderDocuments;
  readonly clock: Clock;
}

const event = 'http://schemas.openid.net/event/backchannel-logout';
const types = ['logout+jwt', 'application/logout+jwt', 'jwt'];
const clockToleranceSeconds = 30;
/** Attack: a token that never expires would have to be remembered for an unlimited time. A logout is delivered within minutes (section 2.4). */
const maxLifetimeSeconds = 24 * 60 * 60;
const maxTokenLength = 8_192;

/** Verifies logout tokens of the identity provider of people (OpenID Connect Back-Channel Logout 1.0 section 2.6). */
export function createLogoutTokenVerifier(deps: LogoutTokenVerifierDeps): LogoutTokenVerifier {
  const { issuer, clientId, documents, clock } = deps;
  return {
    async verify(token) {
      if (token.length > maxTokenLength) return null;
      const now = clock.now();
      const options = {
        // Attack: `none`, or HS256 with the published key as the secret.
        algorithms: [...signatureAlgorithms],
        issuer,
        audience: clientId,
        clockTolerance: clockToleranceSeconds,
        currentDate: new Date(now),
        requiredClaims: ['iat', 'exp', 'jti', 'events'],
      };
      const find = async (keys: KeySet) => {
        try {
          const { payload, protectedHeader } = await jwtVerify(
            token,
            createLocalJWKSet({ keys: [...keys] as never }),
            options,
          );
          return isLogout(protectedHeader.typ, payload) ? read(payload, now / 1000) : null;
        } catch (error) {
          if (error instanceof errors.JWKSNoMatchingKey) return undefined;
          if (error instanceof errors.JOSEError) return null;
          throw error;
        }
      };
      try {
        return (await documents.keySets.findOf(issuer, keySetFreshness, find, () => undefined)) ?? null;
      } catch (cause) {
        throw new Problem('unavailable', 'The keys of the identity provider could not be read; try again.', {
          cause,
        });
      }
    },
  };
}

/**
 * Whether the genuine token is a logout token. Attack: an ID token of the same provider for the same client, which users and apps can get
 * hold of, ends sessions. It has a nonce or no such event (section 2.4).
 */
function isLogout(typ: unknown, claims: JWTPayload): boolean {
  if (typ !== undefined && (typeof typ !== 'string' || !types.includes(typ.toLowerCase()))) return false;
  const { events } = claims;
  if (typeof events !== 'object' || events === null || !Object.hasOwn(events, event)) return false;
  const content = (events as Record<string, unknown>)[event];
  return typeof content === 'object' && content !== null && !('nonce' in claims);
}

function read({ iss, sub, sid, jti, iat, exp }: JWTPayload, now: number): LogoutToken | null {
  if (iss === undefined || exp === undefined || iat === undefined || !isProviderName(jti)) return null;
  if (iat > now + clockToleranceSeconds || exp > now + maxLifetimeSeconds) return null;
  // A claim that is present but not a valid name is a fault, not an absent claim: the token may mean less than it seems to.
  if ((sub !== undefined && !isProviderName(sub)) || (sid !== undefined && !isProviderName(sid))) return null;
  if (sub === undefined && sid === undefined) return null;
  return {
    issuer: iss,
    subject: sub ?? null,
    providerSession: sid ?? null,
    tokenId: jti,
    expiresAt: exp,
  };
}
