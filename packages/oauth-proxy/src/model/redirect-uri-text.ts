/** The parameters that the proxy adds to a redirect; a redirect URI must not have them. */
const responseParameters = ['code', 'state', 'error', 'error_description', 'error_uri', 'iss'];

/** The most characters of a redirect URI. */
export const maxRedirectUriLength = 2048;

/** Why a text is not a valid redirect URI. */
export type RedirectUriFault = 'length' | 'characters' | 'url' | 'credentials' | 'host' | 'parameters';

/** The URL of a redirect URI, or null if {@link redirectUriFault} finds a fault. */
export function parseRedirectUri(text: string): URL | null {
  return redirectUriFault(text) === null ? new URL(text) : null;
}

/** The fault of a redirect URI, whatever its target; null for none. */
export function redirectUriFault(text: string): RedirectUriFault | null {
  // Attack: `http://localhost#@evil.example`, `https://app.example\@evil.example`, and tabs or line breaks that URL
  // parsers drop: two parsers find two different hosts. None of these characters is allowed in a URI (RFC 3986).
  if (text.length > maxRedirectUriLength) return 'length';
  if (/[^\x21-\x7E]|[\\#]/.test(text)) return 'characters';
  const url = webUrl(text);
  const authority = /^[a-z]+:\/\/([^/?]+)/i.exec(text)?.[1]?.toLowerCase();
  if (url === null || authority === undefined) return 'url';
  if (authority.includes('@')) return 'credentials';
  if (!spelledAsParsed(authority, url)) return 'host';
  // Attack: a redirect_uri that already has `code` or `state` makes the app read those instead of ours.
  return responseParameters.some((name) => url.searchParams.has(name)) ? 'parameters' : null;
}

/**
 * The parsed URL if its scheme is http or https. The origin of other schemes is `null`, which would equal any other `null`.
 *
 * Attack: parsers sort the combining marks of a host in quadratic time, so that a text of kilobytes takes a second. A longer one is not parsed.
 */
export function webUrl(text: string): URL | null {
  if (text.length > maxRedirectUriLength || !URL.canParse(text)) return null;
  const url = new URL(text);
  return url.protocol === 'http:' || url.protocol === 'https:' ? url : null;
}

/**
 * Whether the authority, in lower case, is spelled as it was parsed, apart from a default port.
 *
 * Attack: `http://%6cocalhost`, `http://2130706433` and `http://ｌocalhost` parse to an allowed host here and to something else elsewhere;
 * so do `https://user@host`, `http:host` and `http:///host`, which have a fault of their own.
 */
function spelledAsParsed(authority: string, url: URL): boolean {
  return authority === url.host || authority.replace(/:\d+$/, '') === url.hostname;
}
