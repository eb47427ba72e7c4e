import { OAuthError } from '@platform/kernel';

/**
 * `actor_token` and its type: delegation (RFC 8693 section 4.1) is not offered.
 * Attack: left unread, a request for "A acting for B" would be answered with all that B may do.
 */
export function checkNoActor(actorToken: unknown, actorTokenType: unknown): void {
  if (isGiven(actorToken) || isGiven(actorTokenType)) {
    throw new OAuthError('invalid_request', 'actor_token is not supported');
  }
}

function isGiven(value: unknown): boolean {
  return value !== undefined && value !== '';
}
