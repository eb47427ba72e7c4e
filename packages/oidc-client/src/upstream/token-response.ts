import { hasFewValues, parseBounded, type TokenOutcome, UpstreamFault } from '@platform/oauth-proxy';
import { parseObject } from '../documents/discovery.ts';

/**
 * Parses the response of a token endpoint: JSON, or form-encoded as from GitHub. A 2xx response with an `error` counts as rejected.
 * Throws `unreadable` for a 2xx response without tokens.
 */
export function readTokenResponse(status: number, contentType: string, body: string): TokenOutcome {
  // Members that the proxy does not know are passed on, so their numbers must stay as they are.
  const members = parseObject(body, parseBounded) ?? parseForm(contentType, body);
  const error = members === null ? null : errorOf(members);
  if (status < 200 || status > 299 || error !== null) {
    return { outcome: 'rejected', status, error: error === '' ? null : error };
  }
  if (members === null)
    throw new UpstreamFault('unreadable', 'the token response is neither JSON nor form-encoded');
  if (!isText(members['access_token']) && !isText(members['id_token'])) {
    throw new UpstreamFault('unreadable', 'the token response contains no token');
  }
  return { outcome: 'tokens', answer: members };
}

/** The error code in the response of another endpoint (RFC 6749 section 5.2); null without one. */
export function readRefusal(body: string): string | null {
  return errorOf(parseObject(body) ?? {}) || null;
}

/** The error code; empty for an error without a well-formed code; null if there is no error. */
function errorOf(members: Readonly<Record<string, unknown>>): string | null {
  const { error } = members;
  if (error === undefined || error === null || error === '' || error === false) return null;
  return typeof error === 'string' && /^[\x20\x21\x23-\x5B\x5D-\x7E]{1,100}$/.test(error) ? error : '';
}

function parseForm(contentType: string, body: string): Record<string, unknown> | null {
  const formLike = /^(application\/x-www-form-urlencoded|text\/plain)\b/i.test(contentType);
  // An HTML page also contains `=`, but a form contains no white space and no angle brackets.
  if (!formLike || !body.includes('=') || /[\s<>]/.test(body.trim()) || !hasFewValues(body, '&')) return null;
  return Object.fromEntries(new URLSearchParams(body.trim()));
}

function isText(value: unknown): boolean {
  return typeof value === 'string' && value !== '';
}
