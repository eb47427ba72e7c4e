/** What a `redirect` of a browser login names. */
export type BrowserRedirect =
  | { readonly kind: 'path'; readonly path: string }
  | { readonly kind: 'url'; readonly url: string; readonly origin: string };

/**
 * Reads the `redirect` of a browser login; null when it is neither a path of this origin nor an http(s) URL to the letter.
 *
 * Attack (open redirect): `//evil.example`, `/\evil.example`, `/%09/evil.example`, `https:evil.example` and
 * `https://good.example@evil.example` are read differently by different parsers. Backslashes, control characters and white space
 * are refused, and what was parsed is what is sent.
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

/** Whether a redirect URI is a native client's: loopback, any port, no credentials and no fragment (RFC 8252 section 7.3). */
export function isLoopbackRedirect(text: string): boolean {
  if (text.length > 2048 || /[^\x21-\x7e]|[\\#]/.test(text) || !URL.canParse(text)) return false;
  // The literal prefix, so that no parser's leniency decides what the host is.
  if (!/^http:\/\/(127\.0\.0\.1|\[::1\]|localhost)(:\d{1,5})?([/?]|$)/.test(text)) return false;
  const { hostname, username, password } = new URL(text);
  return username === '' && password === '' && ['127.0.0.1', '[::1]', 'localhost'].includes(hostname);
}
