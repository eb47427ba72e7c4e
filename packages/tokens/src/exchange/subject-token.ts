import { OAuthError } from '@platform/kernel';
import { MAX_TOKEN_BYTES } from '../jws/read-token.ts';

/**
 * `subject_token`: the credential itself, a text of at most 8192 bytes. What it says is judged later,
 * and then every fault is the same `invalid_grant`.
 */
export function readSubjectToken(value: unknown): string {
  if (typeof value !== 'string' || value === '') {
    throw new OAuthError('invalid_request', 'subject_token is required');
  }
  // Attack: a token of megabytes keeps parser and verifier busy.
  if (Buffer.byteLength(value) > MAX_TOKEN_BYTES) {
    throw new OAuthError('invalid_request', `subject_token must not be longer than ${MAX_TOKEN_BYTES} bytes`);
  }
  return value;
}
