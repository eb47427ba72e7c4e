import { OAuthError } from '@platform/kernel';

/** The longest e-mail address there is (RFC 5321: 64 + 1 + 255 octets). */
const MAX_LENGTH = 320;

/** White space, control characters and halves of surrogate pairs: in no address, and not all storable. */
const NEVER_IN_AN_ADDRESS = /[\s\p{Cc}\p{Cs}]/u;

/**
 * `identity`: the e-mail address of a service account; absent (or empty, RFC 6749 section 3.2) for a
 * controller. An address that nobody has is no fault of the request and is told apart from none.
 */
export function readIdentity(value: unknown): string | undefined {
  if (value === undefined || value === '') return undefined;
  if (typeof value !== 'string' || value.length > MAX_LENGTH || NEVER_IN_AN_ADDRESS.test(value)) {
    throw new OAuthError('invalid_request', 'identity must be the e-mail address of a service account');
  }
  return value;
}
