/** A proxy in maintenance may ask for a day. It is asked again before, in case it is done. */
const mostMs = 10 * 60_000;

/** Milliseconds that an answer asks to wait before the next request, as seconds or as a date (RFC 9110, section 10.2.3); 0 when it asks for none. */
export function retryAfterMs({ headers }: Response, now = Date.now()): number {
  const value = headers.get('Retry-After');
  if (value === null) return 0;
  const ms = /^\d+$/.test(value) ? Number(value) * 1_000 : Date.parse(value) - now;
  return Number.isNaN(ms) ? 0 : Math.min(mostMs, Math.max(0, ms));
}
