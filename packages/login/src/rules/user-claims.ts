import { isProviderName, Problem } from '@platform/kernel';

/** The configuration of the claims of ID tokens. */
export interface ClaimPolicy {
  /** `server.jwt_claims`, and the claims that roles need. */
  readonly copiedClaims: readonly string[];
  /** `auth.trust_unverified_email`. */
  readonly trustUnverifiedEmail: boolean;
}

/** The user that a verified ID token identifies. */
export interface VerifiedClaims {
  readonly issuer: string;
  readonly subject: string;
  readonly email: string;
  /** Whether roles may be granted by the e-mail address and the groups. */
  readonly emailVerified: boolean;
  readonly claims: Readonly<Record<string, unknown>>;
  /** The session at the provider; null where it names none. */
  readonly providerSession: string | null;
}

/**
 * Reads the claims of a verified ID token. A session needs an e-mail address that the provider does not report as unverified.
 *
 * Attack: a provider lets its users enter any address and omits `email_verified`; somebody enters an operator's address. Such a
 * session gets no role by its address and no groups, unless `auth.trust_unverified_email` is set.
 */
export function readVerifiedClaims(
  idToken: Readonly<Record<string, unknown>> & { readonly iss: string; readonly sub: string },
  { copiedClaims, trustUnverifiedEmail }: ClaimPolicy,
): VerifiedClaims {
  const { iss: issuer, sub: subject, email, email_verified: verified, sid } = idToken;
  if (!isProviderName(subject)) {
    throw new Problem(
      'forbidden',
      'The subject of the identity provider is empty, too long or has control characters.',
    );
  }
  if (typeof email !== 'string' || email === '' || email.length > 320) {
    throw new Problem(
      'forbidden',
      'The identity provider gave no e-mail address; the scope email may be missing.',
    );
  }
  if (saysNo(verified)) {
    throw new Problem('forbidden', 'The identity provider has not verified the e-mail address.');
  }
  // Attack: a line break starts a new header or log line. Valid addresses have no control characters (RFC 5321 section 4.1.2).
  // PostgreSQL stores all lone surrogates as the same character.
  if (/[\p{Cc}\p{Cs}]/u.test(email)) {
    throw new Problem('forbidden', 'The e-mail address of the identity provider has control characters.');
  }
  const emailVerified = verified === true || verified === 'true' || trustUnverifiedEmail;
  const claims = Object.fromEntries(
    copiedClaims
      .filter((name) => Object.hasOwn(idToken, name) && (emailVerified || name !== 'groups'))
      .map((name) => [name, idToken[name]]),
  );
  // Logout tokens with any other name are refused.
  const providerSession = isProviderName(sid) ? sid : null;
  return { issuer, subject, email, emailVerified, claims, providerSession };
}

/**
 * Whether `email_verified` says that the address is not verified. Attack: a provider writes its no in another way (`0`, `"False"`), and
 * somebody enters the address of the owner of a project, which counts when a provider says nothing (docs/login.md).
 */
function saysNo(verified: unknown): boolean {
  return (
    verified === false ||
    verified === 0 ||
    (typeof verified === 'string' && /^(?:false|no|0)$/i.test(verified))
  );
}
