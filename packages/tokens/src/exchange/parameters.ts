import { OAuthError } from '@platform/kernel';
import { maxTokenBytes } from '../jws/read-token.ts';

/** RFC 8693 section 2.1. */
export const tokenExchangeGrant = 'urn:ietf:params:oauth:grant-type:token-exchange';

/** `grant_type`: absent or no text is `invalid_request`, any other grant `unsupported_grant_type`. */
export function checkGrantType(value: unknown): void {
  if (typeof value !== 'string' || value === '') {
    throw new OAuthError('invalid_request', 'grant_type is required');
  }
  if (value !== tokenExchangeGrant) {
    throw new OAuthError('unsupported_grant_type', `grant_type must be ${tokenExchangeGrant}`);
  }
}

/** RFC 8693 section 3: the only type of token that is accepted and issued. */
export const jwtTokenType = 'urn:ietf:params:oauth:token-type:jwt';

/** `subject_token_type`: must be the JWT type. */
export function checkSubjectTokenType(value: unknown): void {
  if (value !== jwtTokenType) {
    throw new OAuthError('invalid_request', `subject_token_type must be ${jwtTokenType}`);
  }
}

/** `requested_token_type`: optional in RFC 8693; a client that asks for anything but a JWT must not get one. */
export function checkRequestedTokenType(value: unknown): void {
  if (value !== undefined && value !== '' && value !== jwtTokenType) {
    throw new OAuthError('invalid_request', `requested_token_type must be ${jwtTokenType}`);
  }
}

/**
 * `subject_token`: the credential itself, a text of at most 8192 bytes. Its claims are verified later, and every fault in them is
 * answered with the same `invalid_grant`.
 */
export function readSubjectToken(value: unknown): string {
  if (typeof value !== 'string' || value === '') {
    throw new OAuthError('invalid_request', 'subject_token is required');
  }
  // Attack: a token of megabytes keeps parser and verifier busy.
  if (Buffer.byteLength(value) > maxTokenBytes) {
    throw new OAuthError('invalid_request', `subject_token must not be longer than ${maxTokenBytes} bytes`);
  }
  return value;
}

/**
 * `actor_token` and its type: delegation (RFC 8693 section 4.1) is not offered.
 * Attack: if it were ignored, a request for "A acting for B" would get a token with all permissions of B.
 */
export function checkNoActor(actorToken: unknown, actorTokenType: unknown): void {
  if (isGiven(actorToken) || isGiven(actorTokenType)) {
    throw new OAuthError('invalid_request', 'actor_token is not supported');
  }
}

function isGiven(value: unknown): boolean {
  return value !== undefined && value !== '';
}

/** The longest e-mail address there is (RFC 5321: 64 + 1 + 255 octets). */
const maxAddressLength = 320;

/** White space, control characters and lone surrogates. No address has them, and PostgreSQL cannot store all of them. */
const notInAddress = /[\s\p{Cc}\p{Cs}]/u;

/**
 * `identity`: the e-mail address of a service account; absent (or empty, RFC 6749 section 3.2) for a controller. An address of no
 * service account is a well-formed request, and is not treated like an absent one.
 */
export function readIdentity(value: unknown): string | undefined {
  if (value === undefined || value === '') return undefined;
  if (typeof value !== 'string' || value.length > maxAddressLength || notInAddress.test(value)) {
    throw new OAuthError('invalid_request', 'identity must be the e-mail address of a service account');
  }
  return value;
}
