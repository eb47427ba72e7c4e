import type { Clock, Outbound } from '@platform/kernel';
import { isEndpointUrl, type SpecPolicy, type Upstream, type UpstreamMetadata } from '@platform/oauth-proxy';
import { type ProviderMetadata, urlMembers } from '../documents/discovery.ts';
import type { ProviderDocuments } from '../documents/provider-documents.ts';
import { callUpstream } from './fault.ts';
import { ClientEndpoints } from './token-endpoint.ts';
import { fetchUserinfo } from './userinfo.ts';
import { keySetFreshness, verifyIdToken } from './verify-id-token.ts';

/** The dependencies of {@link createUpstream}. */
interface UpstreamDeps {
  readonly documents: ProviderDocuments;
  /** The guarded outbound module, which limits addresses, time and size. */
  readonly outbound: Outbound;
  readonly clock: Clock;
  /** `outbound.allow_insecure_origins`. */
  readonly insecureOrigins: readonly string[];
}

/** How long a discovery document is cached, in milliseconds. */
const discoveryFreshness = { freshMs: 5 * 60_000, staleMs: 60 * 60_000, failureMs: 2_000 } as const;

/** Creates the port to upstream providers, over the guarded outbound module. */
export function createUpstream(options: UpstreamDeps): Upstream {
  const { outbound, clock, insecureOrigins } = options;
  const { discoveries, keySets } = options.documents;
  const endpoints = new ClientEndpoints(outbound);

  return {
    async discover(issuerUrl, { fresh } = { fresh: false }) {
      const { metadata, clockSkewMs } = await callUpstream(() =>
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
    async keys({ jwks_uri: jwksUri }, { fresh } = { fresh: false }) {
      if (jwksUri === undefined) return [];
      return await callUpstream(() =>
        fresh ? keySets.fetch(jwksUri) : keySets.get(jwksUri, keySetFreshness),
      );
    },
    userinfo: (endpoint, accessToken) => fetchUserinfo(outbound, endpoint, accessToken),
    revoke: (client, endpoint, { token, hint }) =>
      endpoints.revoke(client, endpoint, { token, ...(hint === null ? {} : { token_type_hint: hint }) }),
  };
}

/** Removes unacceptable URLs. Attack: `javascript:` as authorization endpoint, or an endpoint without TLS. */
function upstreamMetadata(metadata: ProviderMetadata, policy: SpecPolicy): UpstreamMetadata {
  const refused = urlMembers.filter((name) => {
    const url = metadata[name];
    return url !== undefined && !isEndpointUrl(url, policy);
  });
  const members = Object.entries(metadata).filter(([name]) => !refused.some((member) => member === name));
  return { issuer: metadata.issuer, ...Object.fromEntries(members) };
}
