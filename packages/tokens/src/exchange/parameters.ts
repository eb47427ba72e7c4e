import { OAuthError } from '@platform/kernel';
import { maxTokenBytes } from '../jws/read-token.ts';

/** RFC 8693 section 2.1. */
export const tokenExchangeGrant = 'urn:ietf:params:oauth:grant-type:token-exchange';

/** RFC 8693 section 3: the only type of token that is accepted and issued. */
export const jwtTokenType = 'urn:ietf:params:oauth:token-type:jwt';

/** The parsed body: the parameters of RFC 8693 section 2.1 that are read, and `identity`. Others are ignored. */
export interface ExchangeParameters {
  readonly grant_type?: unknown;
  readonly subject_token?: unknown;
  readonly subject_token_type?: unknown;
  readonly identity?: unknown;
  readonly requested_token_type?: unknown;
  readonly actor_token?: unknown;
  readonly actor_token_type?: unknown;
  readonly [name: string]: unknown;
}

/** A well-formed request. Its token is verified later, and every fault in it is answered with the same `invalid_grant`. */
export interface ExchangeRequest {
  readonly subjectToken: string;
  /** The e-mail address of a service account; absent for a controller. */
  readonly identity: string | undefined;
}

/**
 * Reads the parameters of an exchange. Throws OAuthError: `unsupported_grant_type` for another grant, and for everything else that is
 * malformed `invalid_request`, with every fault.
 */
export function readExchangeRequest(parameters: ExchangeParameters): ExchangeRequest {
  const { grant_type: grantType, subject_token: subjectToken, identity } = parameters;
  if (isText(grantType) && grantType !== tokenExchangeGrant) {
    throw new OAuthError('unsupported_grant_type', `grant_type must be ${tokenExchangeGrant}`);
  }
  const faults = [
    isText(grantType) ? null : 'grant_type is required',
    subjectTokenFault(subjectToken),
    parameters.subject_token_type === jwtTokenType ? null : `subject_token_type must be ${jwtTokenType}`,
    requestedTypeFault(parameters.requested_token_type),
    actorFault(parameters),
    identityFault(identity),
  ].filter((fault) => fault !== null);
  if (faults.length > 0) throw new OAuthError('invalid_request', faults.join('; '));
  return {
    subjectToken: subjectToken as string,
    identity: isGiven(identity) ? (identity as string) : undefined,
  };
}

function subjectTokenFault(value: unknown): string | null {
  if (!isText(value)) return 'subject_token is required';
  // Attack: a token of megabytes keeps parser and verifier busy.
  if (Buffer.byteLength(value) > maxTokenBytes) {
    return `subject_token must not be longer than ${maxTokenBytes} bytes`;
  }
  return null;
}

/** Optional in RFC 8693; a client that asks for anything but a JWT must not get one. */
function requestedTypeFault(value: unknown): string | null {
  return !isGiven(value) || value === jwtTokenType ? null : `requested_token_type must be ${jwtTokenType}`;
}

/**
 * Delegation (RFC 8693 section 4.1) is not offered.
 * Attack: if it were ignored, a request for "A acting for B" would get a token with all permissions of B.
 */
function actorFault({ actor_token: token, actor_token_type: type }: ExchangeParameters): string | null {
  return isGiven(token) || isGiven(type) ? 'actor_token is not supported' : null;
}

/** The longest e-mail address there is (RFC 5321: 64 + 1 + 255 octets). */
const maxAddressLength = 320;

/** White space, control characters and lone surrogates. No address has them, and PostgreSQL cannot store all of them. */
const notInAddress = /[\s\p{Cc}\p{Cs}]/u;

/** An address of no service account is a well-formed request, and is not treated like an absent one. */
function identityFault(value: unknown): string | null {
  const fits = isText(value) && value.length <= maxAddressLength && !notInAddress.test(value);
  return !isGiven(value) || fits ? null : 'identity must be the e-mail address of a service account';
}

function isText(value: unknown): value is string {
  return typeof value === 'string' && value !== '';
}

/** A parameter without a value counts as not sent (RFC 6749 section 3.2). */
function isGiven(value: unknown): boolean {
  return value !== undefined && value !== '';
}
