import { OAuthError } from '@platform/kernel';

/** RFC 8693 section 2.1. */
export const TOKEN_EXCHANGE_GRANT = 'urn:ietf:params:oauth:grant-type:token-exchange';

/** `grant_type`: absent or no text is `invalid_request`, any other grant `unsupported_grant_type`. */
export function checkGrantType(value: unknown): void {
  if (typeof value !== 'string' || value === '') {
    throw new OAuthError('invalid_request', 'grant_type is required');
  }
  if (value !== TOKEN_EXCHANGE_GRANT) {
    throw new OAuthError('unsupported_grant_type', `grant_type must be ${TOKEN_EXCHANGE_GRANT}`);
  }
}
