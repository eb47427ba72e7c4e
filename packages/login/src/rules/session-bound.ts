import { MAX_TOKEN_BYTES } from '@platform/tokens';

// A browser drops a cookie whose name and value together have more bytes (RFC 6265bis section 5.7).
const MAX_COOKIE_BYTES = 4096;
const LONGEST_COOKIE_NAME = '__Host-platform_session';

/** The longest session token that its bearer can use, in bytes: a native client sends it in a header, a browser as a cookie. */
export const maxSessionBytes = {
  native: MAX_TOKEN_BYTES,
  browser: MAX_COOKIE_BYTES - LONGEST_COOKIE_NAME.length,
} as const;

/** What somebody is told whose session token would be longer, a person or a native client. */
export const sessionTooLong =
  'The session token would be too long: the identity provider sends too much in the claims that server.jwt_claims names, such as groups.';
