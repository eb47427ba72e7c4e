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

/** The address of a URL, equal for all its spellings: origin and path, without a trailing slash. */
export function addressOf(url: string): string {
  return canonicalUrl(url).replace(/\/+$/, '');
}
