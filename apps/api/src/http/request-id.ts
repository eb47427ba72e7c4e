import { randomUUID } from 'node:crypto';

// The id is echoed in a header and written to logs: only characters that can break neither, and bounded.
const sane = /^[A-Za-z0-9._:=+/-]{1,128}$/;

/** The id of a request: the client's own `X-Request-Id` when it is sane, else a new one. */
export function requestId(offered: string | string[] | undefined): string {
  return typeof offered === 'string' && sane.test(offered) ? offered : randomUUID();
}
