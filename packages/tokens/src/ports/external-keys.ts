/** A public RSA key of an external issuer. The same object is handed out until the issuer changes it. */
export interface ExternalKey {
  readonly kid: string;
  /** SPKI, PEM. */
  readonly pem: string;
}

/** The signing keys of external issuers, discovered at `{issuer}/.well-known/openid-configuration`. */
export interface ExternalKeys {
  /**
   * Returns the key that the issuer publishes under `kid` for RS256. Undefined when the issuer is not trusted
   * (which then is not contacted), publishes no such key, or cannot be reached; never throws for those.
   * Throws only when {@link TrustedIssuers} does, e.g. while the database is away.
   */
  find(issuer: string, kid: string): Promise<ExternalKey | undefined>;
}

/** Which external issuers may be contacted at all: those of configuration and of service accounts. */
export interface TrustedIssuers {
  /** Must be true only for an exact match with a configured issuer, and never for the platform itself. */
  isTrusted(issuer: string): boolean | Promise<boolean>;
}
