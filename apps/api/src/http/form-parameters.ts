import { OAuthError } from '@platform/kernel';
import { printable } from '@platform/oauth-proxy';
import { isPercentEncodedUtf8 } from './query-parameters.ts';

// Longer than any value of a real client; refresh tokens and ID tokens with many groups are the longest.
const maxValueLength = 16_384;

/**
 * Parses the parameters of an OAuth request from `application/x-www-form-urlencoded` text, the syntax of forms and queries. A
 * parameter without a value counts as omitted (RFC 6749 section 3.1). Throws OAuthError `invalid_request`.
 *
 * Attack: of `redirect_uri=good&redirect_uri=evil` one reader uses the first and another the last, so a repeated parameter is
 * rejected, whether or not the endpoint knows it. Bytes that are not UTF-8 (RFC 6749 appendix B) would all become the same character,
 * so that an app gets back another `state` than it sent.
 */
export function parseForm(text: string): ReadonlyMap<string, string> {
  if (!isPercentEncodedUtf8(text))
    throw new OAuthError('invalid_request', 'The parameters are not percent-encoded UTF-8');
  return parseAnswer(text);
}

/** Parses the redirect of a provider, whose `error_description` may be in another encoding: only characters are lost. */
export function parseAnswer(text: string): ReadonlyMap<string, string> {
  const parameters = new Map<string, string>();
  for (const [name, value] of new URLSearchParams(text)) {
    if (value === '') continue;
    if (parameters.has(name)) {
      throw new OAuthError('invalid_request', `A parameter is repeated: ${printable(name)}`);
    }
    if (value.length > maxValueLength) {
      throw new OAuthError('invalid_request', `A parameter is too long: ${printable(name)}`);
    }
    parameters.set(name, value);
  }
  return parameters;
}
