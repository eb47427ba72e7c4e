import type { Clock, Outbound } from '@platform/kernel';
import { challengeOf } from '@platform/kernel';
import { type IdentityProvider, IdentityProviderFault, type IdTokenClaims } from '@platform/login';
import * as client from 'openid-client';
import { outboundFetch } from './outbound-fetch.ts';

/** The platform as a client of its users' identity provider. */
export interface IdentityProviderOptions {
  /** `auth.issuer`; discovery must name exactly it. */
  readonly issuer: string;
  readonly clientId: string;
  readonly clientSecret: string;
  readonly scopes: readonly string[];
  readonly outbound: Outbound;
  readonly clock: Clock;
}

/** How long discovery is believed, in milliseconds: endpoints hardly move, and key sets are refreshed by key id. */
const discoveryMs = 600_000;
/** Seconds that the provider's clock may be off (contract 3). */
const clockSkewSeconds = 30;

/** The identity provider behind openid-client. Nothing is requested before the first login. */
export function createIdentityProvider(options: IdentityProviderOptions): IdentityProvider {
  let known: { readonly configuration: Promise<client.Configuration>; readonly until: number } | null = null;

  /** Discovery, shared by concurrent logins; a failed one is forgotten at once. */
  const configuration = (): Promise<client.Configuration> => {
    if (known !== null && known.until > options.clock.now()) return known.configuration;
    const discovery = { configuration: discover(options), until: options.clock.now() + discoveryMs };
    known = discovery;
    discovery.configuration.catch(() => {
      if (known === discovery) known = null;
    });
    return discovery.configuration;
  };

  return {
    authorizationUrl: async ({ state, nonce, codeVerifier, redirectUri }) =>
      guarded(
        async () =>
          client.buildAuthorizationUrl(await configuration(), {
            redirect_uri: redirectUri,
            scope: options.scopes.join(' '),
            state,
            nonce,
            code_challenge: challengeOf(codeVerifier),
            code_challenge_method: 'S256',
          }).href,
      ),
    redeem: async ({ parameters, state, nonce, codeVerifier, redirectUri }) =>
      guarded(async () => {
        const url = new URL(redirectUri);
        url.search = parameters.toString();
        const tokens = await client.authorizationCodeGrant(await configuration(), url, {
          expectedState: state,
          expectedNonce: nonce,
          pkceCodeVerifier: codeVerifier,
          idTokenExpected: true,
        });
        const claims = tokens.claims();
        if (claims === undefined) throw new IdentityProviderFault('the answer has no ID token');
        return { ...claims } as IdTokenClaims;
      }),
  };
}

async function discover(options: IdentityProviderOptions): Promise<client.Configuration> {
  const issuer = new URL(options.issuer);
  const configuration = await client.discovery(
    issuer,
    options.clientId,
    { client_secret: options.clientSecret, [client.clockTolerance]: clockSkewSeconds },
    undefined,
    {
      [client.customFetch]: outboundFetch(options.outbound),
      // The outbound module decides which origins may be reached without TLS; here the URL's own scheme is taken as it is.
      execute: issuer.protocol === 'http:' ? [client.allowInsecureRequests] : [],
    },
  );
  if (configuration.serverMetadata().issuer !== options.issuer) {
    throw new IdentityProviderFault('discovery names another issuer');
  }
  // openid-client trusts TLS for ID tokens from the token endpoint; the specification wants the signature checked.
  client.enableNonRepudiationChecks(configuration);
  return configuration;
}

/** Every failure as one fault whose message says which step failed, and nothing that the provider wrote. */
async function guarded<T>(step: () => Promise<T>): Promise<T> {
  try {
    return await step();
  } catch (error) {
    if (error instanceof IdentityProviderFault) throw error;
    const code =
      error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : 'failed';
    throw new IdentityProviderFault(`the identity provider could not be used (${code})`, { cause: error });
  }
}
