/** The content of a valid logout token (OpenID Connect Back-Channel Logout 1.0 section 2.4). */
export interface LogoutToken {
  readonly issuer: string;
  /** The account; null when the token names a session only. */
  readonly subject: string | null;
  /** The session at the provider; null when the token names an account only. */
  readonly providerSession: string | null;
  readonly tokenId: string;
  /** Seconds since the epoch. */
  readonly expiresAt: number;
}

/** Verifies logout tokens of the identity provider of people. */
export interface LogoutTokenVerifier {
  /**
   * Must check the signature with a key of the provider, algorithm, `typ`, `iss`, `aud`, `iat`, `exp`, `jti`, `events`, that `sub` or `sid`
   * is there and that `nonce` is not (section 2.6); null for any other text. Throws `unavailable` when the provider's keys cannot be read.
   */
  verify(token: string): Promise<LogoutToken | null>;
}
