import type { IncomingMessage } from 'node:http';

/** Whether a read finds the client's copy current, so that 304 says it all (RFC 9110, section 13.1.2). */
export function isCurrent(request: IncomingMessage, etag: string | undefined): boolean {
  const wanted = request.headers['if-none-match'];
  if (wanted === undefined || etag === undefined) return false;
  if (request.method !== 'GET' && request.method !== 'HEAD') return false;
  return wanted === '*' || wanted.split(',').some((tag) => tag.trim().replace(/^W\//, '') === etag);
}
