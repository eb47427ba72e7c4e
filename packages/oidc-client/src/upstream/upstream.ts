import type { Clock, Outbound } from '@platform/kernel';
import type { Upstream } from '@platform/oauth-proxy';
import type { ProviderDocuments } from '../documents/provider-documents.ts';
import { upstreamMetadata } from './discovery.ts';
import { asUpstream } from './fault.ts';
import { ClientEndpoints } from './token-endpoint.ts';
import { askUserinfo } from './userinfo.ts';
import { keySetFreshness, verifyIdToken } from './verify-id-token.ts';

/** What the adapter is made of. */
export interface UpstreamOptions {
  readonly documents: ProviderDocuments;
  /** The guarded outbound module: it bounds addresses, time and size. */
  readonly outbound: Outbound;
  readonly clock: Clock;
  /** `outbound.allow_insecure_origins`. */
  readonly insecureOrigins: readonly string[];
}

/** How long a discovery document is believed, in milliseconds. */
const discoveryFreshness = { freshMs: 5 * 60_000, staleMs: 60 * 60_000, failureMs: 2_000 } as const;

/** The upstream providers, over the guarded outbound module. */
export function createUpstream(options: UpstreamOptions): Upstream {
  const { outbound, clock, insecureOrigins } = options;
  const { discoveries, keySets } = options.documents;
  const endpoints = new ClientEndpoints(outbound);

  return {
    async discover(issuerUrl, { fresh } = { fresh: false }) {
      const { metadata, clockSkewMs } = await asUpstream(() =>
        fresh ? discoveries.fetch(issuerUrl) : discoveries.get(issuerUrl, discoveryFreshness),
      );
      return { metadata: upstreamMetadata(metadata, { insecureOrigins }), clockSkewMs };
    },
    exchangeCode: (client, { code, redirectUri, verifier }) =>
      endpoints.token(client, {
        grant_type: 'authorization_code',
        code,
        redirect_uri: redirectUri,
        code_verifier: verifier,
      }),
    refresh: (client, { refreshToken, scope }) =>
      endpoints.token(client, {
        grant_type: 'refresh_token',
        refresh_token: refreshToken,
        ...(scope === null ? {} : { scope }),
      }),
    verifyIdToken: (idToken, expected) => verifyIdToken(keySets, clock, idToken, expected),
    keys: async ({ jwks_uri: jwksUri }) =>
      jwksUri === undefined ? [] : asUpstream(() => keySets.get(jwksUri, keySetFreshness)),
    userinfo: (endpoint, accessToken) => askUserinfo(outbound, endpoint, accessToken),
    revoke: (client, endpoint, { token, hint }) =>
      endpoints.post(client, endpoint, { token, ...(hint === null ? {} : { token_type_hint: hint }) }),
  };
}
