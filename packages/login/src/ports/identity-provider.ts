/** The claims of a verified ID token. */
export type IdTokenClaims = Readonly<Record<string, unknown>> & {
  readonly iss: string;
  readonly sub: string;
};

/** The provider could not be asked, or its answer was refused. The message is safe to show; `cause` is for the log. */
export class IdentityProviderFault extends Error {
  override readonly name = 'IdentityProviderFault';
}

/** The identity provider of the platform's users (`auth.issuer`). Every request goes through the guarded outbound module. */
export interface IdentityProvider {
  /**
   * Must return the URL to send the browser to: response type `code`, the configured client and scopes, `state`, `nonce`, and the S256
   * challenge of the verifier. Throws {@link IdentityProviderFault}.
   */
  authorizationUrl(trip: {
    readonly state: string;
    readonly nonce: string;
    readonly codeVerifier: string;
    readonly redirectUri: string;
    /** Whether the ID token is to say when the person logged in (`auth_time`). */
    readonly asksAuthTime: boolean;
  }): Promise<string>;

  /**
   * Must redeem the code and verify the ID token: signature, `iss`, `aud`, `exp` with 30 s of skew, `nonce`. Throws
   * {@link IdentityProviderFault} for anything less.
   */
  redeem(answer: {
    /** The query of the callback, with `code`, `state` and perhaps `iss`. */
    readonly parameters: URLSearchParams;
    readonly state: string;
    readonly nonce: string;
    readonly codeVerifier: string;
    readonly redirectUri: string;
  }): Promise<IdTokenClaims>;
}
