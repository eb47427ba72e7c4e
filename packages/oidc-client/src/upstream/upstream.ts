import type { Clock, Outbound } from '@platform/kernel';
import type { Discovery, Upstream } from '@platform/oauth-proxy';
import { type DiscoveryDeps, fetchDiscovery } from './discovery.ts';
import { Fetched } from './fetched.ts';
import { KeySets } from './key-sets.ts';
import { ClientEndpoints } from './token-endpoint.ts';
import { askUserinfo } from './userinfo.ts';
import { verifyIdToken } from './verify-id-token.ts';

/** What the adapter is made of. */
export interface UpstreamOptions {
  /** The guarded outbound module: it bounds addresses, time and size. */
  readonly outbound: Outbound;
  readonly clock: Clock;
  /** `outbound.allow_insecure_origins`. */
  readonly insecureOrigins: readonly string[];
}

/** How long a discovery document is believed, in milliseconds. */
const discoveryTiming = { freshMs: 5 * 60_000, staleMs: 60 * 60_000, failureMs: 2_000 } as const;

/** The upstream providers, over the guarded outbound module. */
export function createUpstream({ outbound, clock, insecureOrigins }: UpstreamOptions): Upstream {
  const deps: DiscoveryDeps = { outbound, clock, policy: { insecureOrigins } };
  const documents = new Fetched<Discovery>(clock, discoveryTiming, 1000);
  const keySets = new KeySets(outbound, clock);
  const endpoints = new ClientEndpoints(outbound);

  return {
    discover(issuerUrl, { fresh } = { fresh: false }) {
      const fetch = () => fetchDiscovery(deps, issuerUrl);
      return fresh ? documents.refetch(issuerUrl, fetch) : documents.get(issuerUrl, fetch);
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
    keys: async ({ jwks_uri: jwksUri }) => (jwksUri === undefined ? [] : keySets.get(jwksUri)),
    userinfo: (endpoint, accessToken) => askUserinfo(outbound, endpoint, accessToken),
    revoke: (client, endpoint, { token, hint }) =>
      endpoints.post(client, endpoint, { token, ...(hint === null ? {} : { token_type_hint: hint }) }),
  };
}
