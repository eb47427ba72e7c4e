/** The target of a browser login's `redirect`. */
export type BrowserRedirect =
  | { readonly kind: 'path'; readonly path: string }
  | { readonly kind: 'url'; readonly url: string; readonly origin: string };

/**
 * Reads the `redirect` of a browser login; null unless it is a path of this origin or an http(s) URL.
 *
 * Attack (open redirect): `//evil.example`, `/\evil.example`, `/%09/evil.example`, `https:evil.example` and
 * `https://good.example@evil.example` are read differently by different parsers. Backslashes, control characters and white space
 * are rejected, and the redirect sends the parsed form.
 */
export function readBrowserRedirect(text: string, publicUrl: string): BrowserRedirect | null {
  if (text.length > 2048 || /[^\x21-\x7e]|\\/.test(text)) return null;
  if (text.startsWith('/')) {
    if (text.startsWith('//') || !URL.canParse(text, publicUrl)) return null;
    const url = new URL(text, publicUrl);
    if (url.origin !== new URL(publicUrl).origin) return null;
    // Dot segments can fold into a second leading slash: `/.//evil.example`.
    return url.pathname.startsWith('//')
      ? null
      : { kind: 'path', path: `${url.pathname}${url.search}${url.hash}` };
  }
  if (!/^https?:\/\/[^/?#@]+([/?#]|$)/i.test(text) || !URL.canParse(text)) return null;
  const url = new URL(text);
  return url.username === '' && url.password === ''
    ? { kind: 'url', url: url.href, origin: url.origin }
    : null;
}

/** Whether a redirect URI is one of a native client: loopback, any port, no credentials, no fragment (RFC 8252 section 7.3). */
export function isLoopbackRedirect(text: string): boolean {
  if (text.length > 2048 || /[^\x21-\x7e]|[\\#]/.test(text) || !URL.canParse(text)) return false;
  // Compares the literal prefix, so that a lenient parser cannot read another host.
  if (!/^http:\/\/(127\.0\.0\.1|\[::1\]|localhost)(:\d{1,5})?([/?]|$)/.test(text)) return false;
  const { hostname, username, password } = new URL(text);
  return username === '' && password === '' && ['127.0.0.1', '[::1]', 'localhost'].includes(hostname);
}

/** The redirect that answers a native client: with a code, or with an error. `iss` names who answers (RFC 9207). */
export function clientRedirect(
  issuer: string,
  { redirectUri, state }: { readonly redirectUri: string; readonly state: string | null },
  answer: Readonly<Record<string, string>>,
): string {
  const target = new URL(redirectUri);
  const parameters = { ...answer, ...(state === null ? {} : { state }), iss: issuer };
  for (const [name, value] of Object.entries(parameters)) target.searchParams.set(name, value);
  return target.href;
}
