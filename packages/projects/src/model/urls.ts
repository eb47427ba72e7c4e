const unreserved = /[A-Za-z0-9._~-]/;

/**
 * A URL in its one spelling: host in lower case, no default port, no dot segments, no needless percent-encoding (RFC 3986, section 6.2.2).
 * A slash at the end stays as it was written.
 */
export function canonicalUrl(text: string): string {
  const url = new URL(text);
  const path = url.pathname.replaceAll(/%[0-9a-f]{2}/gi, (encoded) => {
    const character = String.fromCharCode(Number.parseInt(encoded.slice(1), 16));
    return unreserved.test(character) ? character : encoded.toUpperCase();
  });
  return path === '/' && !text.endsWith('/') ? url.origin : `${url.origin}${path}`;
}

/** The URL that `server.project_url_template` gives to a project, in its one spelling; null for a name that is no valid part of a host, such as `xn--a`. */
export function templateUrl(template: string, name: string): string | null {
  const text = template.replaceAll('{project}', name);
  return URL.canParse(text) ? canonicalUrl(text) : null;
}

/** The address of a URL, equal for all its spellings: origin and path, without a trailing slash. */
export function addressOf(url: string): string {
  return canonicalUrl(url).replace(/\/+$/, '');
}

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
  // Attack: `shop.example.` is another text for the host `shop.example`, and so an address that another project may have.
  if (url.hostname.endsWith('.')) return null;
  if (url.protocol === 'https:') return url.origin;
  return isLocalhost(url.hostname) ? url.origin : null;
}

/** Hosts that stay on the machine of the person who opens them (RFC 6761 section 6.3, RFC 8252 section 7.3). */
function isLocalhost(host: string): boolean {
  return host === 'localhost' || host.endsWith('.localhost') || host === '127.0.0.1' || host === '[::1]';
}

/** Whether the origin is one that `server.project_url_template` gives to some project name. */
export function isTemplateOrigin(template: string, origin: string): boolean {
  const marker = 'name-of-a-project';
  const [start, ...ends] = new URL(template.replaceAll('{project}', marker)).origin.split(marker);
  if (ends.length === 0) return origin === start;
  const end = ends.join(marker);
  return (
    origin.length > `${start}${end}`.length &&
    origin.startsWith(start ?? '') &&
    origin.endsWith(end) &&
    /^[a-z0-9-]+$/.test(origin.slice(start?.length, origin.length - end.length))
  );
}
