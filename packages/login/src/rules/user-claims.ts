import { Problem } from '@platform/kernel';

/** What the configuration says of the claims of ID tokens. */
export interface ClaimPolicy {
  /** `server.jwt_claims`, and what roles need besides. */
  readonly copiedClaims: readonly string[];
  /** `auth.trust_unverified_email`. */
  readonly trustUnverifiedEmail: boolean;
}

/** What a verified ID token says about the person. */
export interface VerifiedPerson {
  readonly issuer: string;
  readonly subject: string;
  readonly email: string;
  /** Whether roles may follow the address and the groups. */
  readonly emailVerified: boolean;
  readonly claims: Readonly<Record<string, unknown>>;
}

/**
 * The person that an ID token names. A session needs an e-mail address, and not one that the provider says is unverified.
 *
 * Attack: a provider lets its users type any address and does not say `email_verified`; somebody types an operator's. Such a
 * session gets no role by its address, and no groups, unless `auth.trust_unverified_email` says that the provider is trusted.
 */
export function personOf(
  idToken: Readonly<Record<string, unknown>> & { readonly iss: string; readonly sub: string },
  { copiedClaims, trustUnverifiedEmail }: ClaimPolicy,
): VerifiedPerson {
  const { iss: issuer, sub: subject, email, email_verified: verified } = idToken;
  if (typeof email !== 'string' || email === '' || email.length > 320) {
    throw new Problem(
      'forbidden',
      'The identity provider gave no e-mail address; the scope email may be missing.',
    );
  }
  if (verified === false || verified === 'false') {
    throw new Problem('forbidden', 'The identity provider has not verified the e-mail address.');
  }
  // Attack: a header or a log line that goes on in the next line. Such addresses do not exist (RFC 5321 section 4.1.2).
  if (/\p{Cc}/u.test(email)) {
    throw new Problem('forbidden', 'The e-mail address of the identity provider has control characters.');
  }
  const emailVerified = verified === true || verified === 'true' || trustUnverifiedEmail;
  const claims = Object.fromEntries(
    copiedClaims
      .filter((name) => Object.hasOwn(idToken, name) && (emailVerified || name !== 'groups'))
      .map((name) => [name, idToken[name]]),
  );
  return { issuer, subject, email, emailVerified, claims };
}
