import type { Authentication } from '../model/login-transaction.ts';

/** The claims of a verified ID token. */
export type IdTokenClaims = Readonly<Record<string, unknown>> & {
  readonly iss: string;
  readonly sub: string;
};

/** The provider was unreachable, or its response was invalid. The message is safe to show; `cause` is for the log. */
export class IdentityProviderError extends Error {
  override readonly name = 'IdentityProviderError';
}

/**
 * The browser came back with an authorization response that is not the provider's for this login, or with a code that the provider
 * refuses. The message is for the log.
 */
export class InvalidAuthorizationResponse extends Error {
  override readonly name = 'InvalidAuthorizationResponse';
}

/** The identity provider of the platform's users (`auth.issuer`). All requests go through the guarded outbound module. */
export interface IdentityProvider {
  /**
   * Must return the URL of the authorization request: response type `code`, the configured client and scopes, `state`, `nonce`,
   * and the S256 challenge of the verifier. Throws {@link IdentityProviderError}.
   */
  authorizationUrl(request: {
    readonly state: string;
    readonly nonce: string;
    readonly codeVerifier: string;
    readonly redirectUri: string;
    /** How the user is to be authenticated; the time of it (`auth_time`) is requested then. Null for the choice of the provider. */
    readonly authentication: Authentication | null;
  }): Promise<string>;

  /**
   * Must redeem the code and verify the ID token: signature, `iss`, `aud`, `exp` with 30 s of clock skew, `nonce`. Throws
   * {@link IdentityProviderError} if any of them fails, and {@link InvalidAuthorizationResponse}.
   */
  redeem(response: {
    /** The parameters of the authorization response, each of them once: `code`, `state`, and `iss` from some providers. */
    readonly parameters: ReadonlyMap<string, string>;
    readonly state: string;
    readonly nonce: string;
    readonly codeVerifier: string;
    readonly redirectUri: string;
  }): Promise<IdTokenClaims>;
}
