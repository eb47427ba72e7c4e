import type { Outbound } from '@platform/kernel';
import type { CustomFetch } from 'openid-client';
import type { ProviderMetadata } from '../documents/discovery.ts';
import { type KeySets, unknownKidMs } from '../documents/key-sets.ts';

/** Statuses whose answers have no body (Fetch standard, "null body status"). */
const bodiless: ReadonlySet<number> = new Set([204, 205, 304]);

/** openid-client asks for keys when it has none or meets an unknown key id, so they may be hardly older than now. */
const keySetFreshness = { freshMs: unknownKidMs, staleMs: 60 * 60_000, failureMs: 0 } as const;

/** `fetch` for openid-client: keys come from the shared cache, all else goes through the guarded outbound module. */
export function providerFetch(
  outbound: Outbound,
  keySets: KeySets,
  { jwks_uri: jwksUri }: ProviderMetadata,
): CustomFetch {
  return async (url, { method, headers, body }) => {
    if (url === jwksUri) return Response.json({ keys: await keySets.get(url, keySetFreshness) });
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
