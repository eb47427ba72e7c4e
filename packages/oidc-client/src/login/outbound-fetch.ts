import type { Outbound } from '@platform/kernel';
import type { CustomFetch } from 'openid-client';
import type { ProviderMetadata } from '../documents/discovery.ts';
import { type KeySetCache, unknownKidMs } from '../documents/key-sets.ts';

/** Statuses of responses without a body (Fetch standard, "null body status"). */
const nullBodyStatuses: ReadonlySet<number> = new Set([204, 205, 304]);

/** openid-client requests keys when it has none or finds an unknown key id, so they must be recent. */
const keySetFreshness = { freshMs: unknownKidMs, staleMs: 60 * 60_000, failureMs: 0 } as const;

/** Creates a `fetch` for openid-client: keys come from the shared cache, everything else goes through the guarded outbound module. */
export function createProviderFetch(
  outbound: Outbound,
  keySets: KeySetCache,
  { jwks_uri: jwksUri }: ProviderMetadata,
): CustomFetch {
  return async (url, { method, headers, body }) => {
    if (url === jwksUri) return Response.json({ keys: await keySets.get(url, keySetFreshness) });
    const response = await outbound.request({
      method: method === 'POST' ? 'POST' : 'GET',
      url,
      headers,
      ...(body == null ? {} : { body: String(body) }),
    });
    const content = nullBodyStatuses.has(response.status) ? null : new Uint8Array(response.body);
    return new Response(content, { status: response.status, headers: response.headers });
  };
}
