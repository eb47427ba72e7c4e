/** What the proxy adds to a redirect; an app may not bring its own. */
const responseParameters = ['code', 'state', 'error', 'error_description', 'error_uri', 'iss'];

const maxLength = 2048;

/** Why a text is no redirect URI. */
export type RedirectUriFault = 'characters' | 'url' | 'parameters';

/** The URL of a redirect URI, or null when {@link redirectUriFault} finds something. */
export function parseRedirectUri(text: string): URL | null {
  return redirectUriFault(text) === null ? new URL(text) : null;
}

/** What is wrong with a redirect URI wherever it leads; null for none. */
export function redirectUriFault(text: string): RedirectUriFault | null {
  // Attack: `http://localhost#@evil.example`, `https://app.example\@evil.example`, and tabs or line breaks that URL
  // parsers drop: two readers of such a text see two hosts. None of these characters belongs into a URI (RFC 3986).
  if (text.length > maxLength || /[^\x21-\x7E]|[\\#]/.test(text)) return 'characters';
  const url = webUrl(text);
  if (url === null || !spelledAsParsed(text, url)) return 'url';
  // Attack: a redirect_uri that already has `code` or `state` makes the app read those instead of ours.
  return responseParameters.some((name) => url.searchParams.has(name)) ? 'parameters' : null;
}

/** The parsed URL when its scheme is http or https: the only ones whose origin is not `null`, which equals every other `null`. */
export function webUrl(text: string): URL | null {
  if (!URL.canParse(text)) return null;
  const url = new URL(text);
  return url.protocol === 'http:' || url.protocol === 'https:' ? url : null;
}

/**
 * Whether the authority is written as it was understood, upper case and a default port aside.
 *
 * Attack: `https://user@host`, `http:host`, `http:///host`, `http://%6cocalhost`, `http://2130706433` and `http://ｌocalhost`
 * parse to an allowed host here and to something else elsewhere.
 */
function spelledAsParsed(text: string, url: URL): boolean {
  const authority = /^[a-z]+:\/\/([^/?]+)/i.exec(text)?.[1]?.toLowerCase();
  if (authority === undefined) return false;
  return authority === url.host || authority.replace(/:\d+$/, '') === url.hostname;
}
