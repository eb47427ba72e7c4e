import { challengeOf, type Outbound } from '@platform/kernel';
import {
  type Authentication,
  type IdentityProvider,
  IdentityProviderError,
  type IdTokenClaims,
  InvalidAuthorizationResponse,
} from '@platform/login';
import * as client from 'openid-client';
import { IssuerMismatchError, type ProviderMetadata } from '../documents/discovery.ts';
import type { ProviderDocuments } from '../documents/provider-documents.ts';
import { createProviderFetch } from './outbound-fetch.ts';

/** The dependencies of the client for the identity provider of the users. */
export interface IdentityProviderDeps {
  /** `auth.issuer`; discovery must return exactly this issuer. */
  readonly issuer: string;
  readonly clientId: string;
  readonly clientSecret: string;
  readonly scopes: readonly string[];
  readonly documents: ProviderDocuments;
  readonly outbound: Outbound;
}

/** `max_age` makes `auth_time` required (OpenID Connect Core, section 3.1.2.1). Ten years do not end any login at the provider. */
const maxLoginAgeSeconds = 315_360_000;
/** How long discovery is cached, in milliseconds. Endpoints rarely change. */
const discoveryFreshness = { freshMs: 10 * 60_000, staleMs: 60 * 60_000, failureMs: 0 } as const;
/** The tolerance for the clock of the provider, in seconds. */
const clockSkewSeconds = 30;

/** Creates a client for the identity provider, on openid-client. Sends no request before the first login. */
export function createIdentityProvider(options: IdentityProviderDeps): IdentityProvider {
  const configurations = new WeakMap<ProviderMetadata, client.Configuration>();

  /** One configuration for each version of the discovery document. */
  const getConfiguration = async (): Promise<client.Configuration> => {
    const { metadata } = await options.documents.discoveries.get(options.issuer, discoveryFreshness);
    const known = configurations.get(metadata) ?? configure(options, metadata);
    configurations.set(metadata, known);
    return known;
  };

  return {
    authorizationUrl: async ({ state, nonce, codeVerifier, redirectUri, authentication }) =>
      wrapErrors(
        async () =>
          client.buildAuthorizationUrl(await getConfiguration(), {
            redirect_uri: redirectUri,
            scope: options.scopes.join(' '),
            state,
            nonce,
            code_challenge: challengeOf(codeVerifier),
            code_challenge_method: 'S256',
            ...authenticationParameters(authentication),
          }).href,
      ),
    redeem: async ({ parameters, state, nonce, codeVerifier, redirectUri }) =>
      wrapErrors(async () => {
        const configuration = await getConfiguration();
        requireCodeResponse(parameters, configuration.serverMetadata());
        const url = new URL(redirectUri);
        url.search = new URLSearchParams([...parameters]).toString();
        const tokens = await client.authorizationCodeGrant(configuration, url, {
          expectedState: state,
          expectedNonce: nonce,
          pkceCodeVerifier: codeVerifier,
          idTokenExpected: true,
        });
        const claims = tokens.claims();
        if (claims === undefined) throw new IdentityProviderError('the response has no ID token');
        // Attack: a token that was issued to another client of the provider, with the platform as its audience (OpenID Connect Core
        // section 3.1.3.7). openid-client looks at `azp` only where there are several audiences.
        if (claims.azp !== undefined && claims.azp !== options.clientId)
          throw new IdentityProviderError('the ID token was issued to another client');
        return { ...claims } as IdTokenClaims;
      }),
  };
}

function authenticationParameters(wanted: Authentication | null): Record<string, string> {
  if (wanted === null) return {};
  const prompt = wanted.prompt.join(' ');
  const maxAge = String(wanted.maxAge ?? maxLoginAgeSeconds);
  return prompt === '' ? { max_age: maxAge } : { max_age: maxAge, prompt };
}

/**
 * Checks the parameters of the redirect, which anybody can change. openid-client checks them too, with errors that look like those of a
 * broken provider.
 */
function requireCodeResponse(parameters: ReadonlyMap<string, string>, metadata: client.ServerMetadata): void {
  const code = parameters.get('code') ?? '';
  if (code === '' || ['response', 'id_token', 'token'].some((name) => parameters.has(name))) {
    throw new InvalidAuthorizationResponse('the authorization response is not one with a code');
  }
  // Attack: another provider of the user sends its code to our callback (RFC 9207 section 2.4).
  const issuer = parameters.get('iss') ?? '';
  const mayBeMissing = metadata.authorization_response_iss_parameter_supported !== true;
  if (issuer === '' ? !mayBeMissing : issuer !== metadata.issuer) {
    throw new InvalidAuthorizationResponse('the authorization response is of another issuer');
  }
}

function configure(options: IdentityProviderDeps, metadata: ProviderMetadata): client.Configuration {
  const configuration = new client.Configuration(metadata as client.ServerMetadata, options.clientId, {
    client_secret: options.clientSecret,
    [client.clockTolerance]: clockSkewSeconds,
  });
  configuration[client.customFetch] = createProviderFetch(
    options.outbound,
    options.documents.keySets,
    metadata,
  );
  // The outbound module decides which origins may be reached without TLS, so http is allowed here.
  if (new URL(options.issuer).protocol === 'http:') client.allowInsecureRequests(configuration);
  // By default, openid-client does not check the signature of ID tokens from the token endpoint.
  client.enableNonRepudiationChecks(configuration);
  return configuration;
}

/** Converts every error to one of the port, whose message contains no text of the provider. */
async function wrapErrors<T>(step: () => Promise<T>): Promise<T> {
  try {
    return await step();
  } catch (error) {
    if (error instanceof IdentityProviderError || error instanceof InvalidAuthorizationResponse) throw error;
    if (error instanceof client.ResponseBodyError && error.error === 'invalid_grant') {
      throw new InvalidAuthorizationResponse('the provider refused the code', { cause: error });
    }
    const code =
      error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : 'failed';
    if (error instanceof IssuerMismatchError)
      throw new IdentityProviderError('discovery names another issuer');
    throw new IdentityProviderError(`the identity provider could not be used (${code})`, { cause: error });
  }
}
