import { Problem } from '@platform/kernel';

/** What a verified ID token says about the person. */
export interface VerifiedPerson {
  readonly issuer: string;
  readonly subject: string;
  readonly email: string;
  readonly claims: Readonly<Record<string, unknown>>;
}

/**
 * The person that an ID token names. A session needs an e-mail address, and not one that the provider says is unverified:
 * whoever may type any address at a provider would be an operator (contract 3).
 */
export function personOf(
  idToken: Readonly<Record<string, unknown>> & { readonly iss: string; readonly sub: string },
  copiedClaims: readonly string[],
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
  const claims = Object.fromEntries(
    copiedClaims.filter((name) => Object.hasOwn(idToken, name)).map((name) => [name, idToken[name]]),
  );
  return { issuer, subject, email, claims };
}
