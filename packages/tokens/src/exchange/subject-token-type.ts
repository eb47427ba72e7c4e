import { OAuthError } from '@platform/kernel';

/** RFC 8693 section 3: the one type of token that is taken and given. */
export const JWT_TOKEN_TYPE = 'urn:ietf:params:oauth:token-type:jwt';

/** `subject_token_type`: must be the JWT type. */
export function checkSubjectTokenType(value: unknown): void {
  if (value !== JWT_TOKEN_TYPE) {
    throw new OAuthError('invalid_request', `subject_token_type must be ${JWT_TOKEN_TYPE}`);
  }
}

/** `requested_token_type`: optional in RFC 8693; a client that asks for anything but a JWT must not get one. */
export function checkRequestedTokenType(value: unknown): void {
  if (value !== undefined && value !== '' && value !== JWT_TOKEN_TYPE) {
    throw new OAuthError('invalid_request', `requested_token_type must be ${JWT_TOKEN_TYPE}`);
  }
}
