import { challengeOf, type Outbound } from '@platform/kernel';
import { type IdentityProvider, IdentityProviderError, type IdTokenClaims } from '@platform/login';
import * as client from 'openid-client';
import { IssuerMismatchError, type ProviderMetadata } from '../documents/discovery.ts';
import type { ProviderDocuments } from '../documents/provider-documents.ts';
import { providerFetch } from './outbound-fetch.ts';

/** The platform as a client of its users' identity provider. */
export interface IdentityProviderOptions {
  /** `auth.issuer`; discovery must name exactly it. */
  readonly issuer: string;
  readonly clientId: string;
  readonly clientSecret: string;
  readonly scopes: readonly string[];
  readonly documents: ProviderDocuments;
  readonly outbound: Outbound;
}

/** A request with `max_age` makes `auth_time` required (OpenID Connect Core, section 3.1.2.1); ten years end no login at the provider. */
const longestLoginSeconds = 315_360_000;
/** How long discovery is believed, in milliseconds: endpoints hardly move. */
const discoveryFreshness = { freshMs: 10 * 60_000, staleMs: 60 * 60_000, failureMs: 0 } as const;
/** Seconds that the provider's clock may be off. */
const clockSkewSeconds = 30;

/** The identity provider behind openid-client. Nothing is requested before the first login. */
export function createIdentityProvider(options: IdentityProviderOptions): IdentityProvider {
  const configurations = new WeakMap<ProviderMetadata, client.Configuration>();

  /** One configuration for each version of the discovery document. */
  const configuration = async (): Promise<client.Configuration> => {
    const { metadata } = await options.documents.discoveries.get(options.issuer, discoveryFreshness);
    const known = configurations.get(metadata) ?? configure(options, metadata);
    configurations.set(metadata, known);
    return known;
  };

  return {
    authorizationUrl: async ({ state, nonce, codeVerifier, redirectUri, requestsAuthTime }) =>
      guarded(
        async () =>
          client.buildAuthorizationUrl(await configuration(), {
            redirect_uri: redirectUri,
            scope: options.scopes.join(' '),
            state,
            nonce,
            code_challenge: challengeOf(codeVerifier),
            code_challenge_method: 'S256',
            ...(requestsAuthTime ? { max_age: String(longestLoginSeconds) } : {}),
          }).href,
      ),
    redeem: async ({ parameters, state, nonce, codeVerifier, redirectUri }) =>
      guarded(async () => {
        const url = new URL(redirectUri);
        url.search = new URLSearchParams([...parameters]).toString();
        const tokens = await client.authorizationCodeGrant(await configuration(), url, {
          expectedState: state,
          expectedNonce: nonce,
          pkceCodeVerifier: codeVerifier,
          idTokenExpected: true,
        });
        const claims = tokens.claims();
        if (claims === undefined) throw new IdentityProviderError('the answer has no ID token');
        return { ...claims } as IdTokenClaims;
      }),
  };
}

function configure(options: IdentityProviderOptions, metadata: ProviderMetadata): client.Configuration {
  const configuration = new client.Configuration(metadata as client.ServerMetadata, options.clientId, {
    client_secret: options.clientSecret,
    [client.clockTolerance]: clockSkewSeconds,
  });
  configuration[client.customFetch] = providerFetch(options.outbound, options.documents.keySets, metadata);
  // The outbound module decides which origins may be reached without TLS; here the URL's own scheme is taken as it is.
  if (new URL(options.issuer).protocol === 'http:') client.allowInsecureRequests(configuration);
  // openid-client trusts TLS for ID tokens from the token endpoint; here their signature is checked as well.
  client.enableNonRepudiationChecks(configuration);
  return configuration;
}

/** Every failure as one fault whose message says which step failed, and nothing that the provider wrote. */
async function guarded<T>(step: () => Promise<T>): Promise<T> {
  try {
    return await step();
  } catch (error) {
    if (error instanceof IdentityProviderError) throw error;
    const code =
      error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : 'failed';
    if (error instanceof IssuerMismatchError)
      throw new IdentityProviderError('discovery names another issuer');
    throw new IdentityProviderError(`the identity provider could not be used (${code})`, { cause: error });
  }
}
