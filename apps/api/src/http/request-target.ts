/** The two parts of a request target, raw. */
export interface RequestTarget {
  readonly path: string;
  readonly query: string;
}

const absoluteForm = /^https?:\/\/[^/?#]*/i;

/**
 * Splits a request target (RFC 9112, section 3.2) without decoding anything: what the path means is decided after it
 * was split at its slashes. The absolute form, which servers must accept, loses its scheme and authority.
 */
export function requestTarget(url: string): RequestTarget {
  const local = url.startsWith('/') ? url : url.replace(absoluteForm, '') || '/';
  const mark = local.indexOf('?');
  return mark === -1
    ? { path: local, query: '' }
    : { path: local.slice(0, mark), query: local.slice(mark + 1) };
}
