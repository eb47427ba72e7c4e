import type { ProxyExtension } from '../model/extension.ts';
import { ProxyError } from '../model/proxy-error.ts';

/** The hosts that a native or local app may listen on with any port (RFC 8252, section 7.3; contract 5). */
const LOOPBACK_HOSTS = new Set(['localhost', '127.0.0.1', '[::1]']);

/** What the proxy adds to a redirect; an app may not bring its own. */
const RESPONSE_PARAMETERS = ['code', 'state', 'error', 'error_description', 'error_uri', 'iss'];

const MAX_LENGTH = 2048;

/** The origins that the app may live on. */
export type AppOrigins = Pick<ProxyExtension, 'projectUrl' | 'customDomains'>;

/**
 * The URL to send the user to after the login: the requested one when it is allowed, the project URL when none was
 * requested (contract 5). Throws `invalid_request`, never anything that redirects.
 *
 * What is returned is the parsed form, so that the URL that was judged is the URL that is used.
 */
export function redirectTarget(requested: string | null, origins: AppOrigins): string {
  if (requested === null) {
    const project = webUrl(origins.projectUrl);
    if (project === null) throw refused('redirect_uri is required, because the project has no usable URL');
    return project.href;
  }
  // Attack: `http://localhost#@evil.example`, `https://app.example\@evil.example`, and tabs or line breaks that URL
  // parsers drop: two readers of such a text see two hosts. None of these characters belongs into a URI (RFC 3986).
  if (requested.length > MAX_LENGTH || /[^\x21-\x7E]|[\\#]/.test(requested)) {
    throw refused('redirect_uri contains characters that are not allowed');
  }
  const url = webUrl(requested);
  if (url === null || !spelledAsParsed(requested, url))
    throw refused('redirect_uri is not an absolute http or https URL');
  if (!isAppOrigin(url.origin, origins)) throw refused('redirect_uri is not allowed for this project');
  // Attack: a redirect_uri that already has `code` or `state` makes the app read those instead of ours.
  if (RESPONSE_PARAMETERS.some((name) => url.searchParams.has(name))) {
    throw refused('redirect_uri contains a parameter of the answer');
  }
  return url.href;
}

/** Whether an origin, as a URL parser writes it, is the app's: loopback, the project URL's or a custom domain's. */
export function isAppOrigin(origin: string, { projectUrl, customDomains }: AppOrigins): boolean {
  const url = webUrl(origin);
  if (url === null || url.origin !== origin) return false;
  if (url.protocol === 'http:' && LOOPBACK_HOSTS.has(url.hostname)) return true;
  // Attack: comparing by prefix lets `https://app.example.evil.example` pass for `https://app.example`.
  return [projectUrl, ...customDomains].some((allowed) => webUrl(allowed)?.origin === origin);
}

/** The parsed URL when its scheme is http or https: the only ones whose origin is not `null`, which equals every other `null`. */
function webUrl(text: string): URL | null {
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

function refused(description: string): ProxyError {
  return new ProxyError('invalid_request', description, {
    remedy:
      'Use http://localhost with any port, or a URL on the origin of the project or of one of its custom domains.',
  });
}
