/**
 * The canonical origin that a text names, or null when it is no acceptable one: `https`, or `http` for localhost and its
 * subdomains; nothing but scheme, host and port.
 *
 * Attack: `https://good.example@evil.example`, `https://good.example\@evil.example` and the like read differently to
 * different parsers; only a text that is an origin to the letter, but for case and a default port, is taken.
 */
export function originOf(text: string): string | null {
  if (!/^https?:\/\/[A-Za-z0-9.:[\]-]+\/?$/i.test(text) || !URL.canParse(text)) return null;
  const url = new URL(text);
  if (url.protocol === 'https:') return url.origin;
  return isLocalhost(url.hostname) ? url.origin : null;
}

/** Hosts that stay on the machine of the person who opens them (RFC 6761 section 6.3, RFC 8252 section 7.3). */
function isLocalhost(host: string): boolean {
  return host === 'localhost' || host.endsWith('.localhost') || host === '127.0.0.1' || host === '[::1]';
}
