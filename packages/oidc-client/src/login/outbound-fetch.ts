import type { Outbound } from '@platform/kernel';
import type { CustomFetch } from 'openid-client';

/** Statuses whose answers have no body (Fetch standard, "null body status"). */
const bodiless: ReadonlySet<number> = new Set([204, 205, 304]);

/** `fetch` for openid-client through the guarded outbound module, so that its rules hold for logins too. */
export function outboundFetch(outbound: Outbound): CustomFetch {
  return async (url, { method, headers, body }) => {
    const answer = await outbound.request({
      method: method === 'POST' ? 'POST' : 'GET',
      url,
      headers,
      ...(body == null ? {} : { body: String(body) }),
    });
    const content = bodiless.has(answer.status) ? null : new Uint8Array(answer.body);
    return new Response(content, { status: answer.status, headers: answer.headers });
  };
}
