import type { ControllerDirectory, ServiceAccountDirectory } from '../ports/directories.ts';
import type { TrustedIssuers } from '../ports/external-keys.ts';

/** Where trusted issuers come from. */
export interface TrustedIssuersDeps {
  /** `server.public_url`. */
  readonly issuer: string;
  readonly controllers: ControllerDirectory;
  readonly serviceAccounts: Pick<ServiceAccountDirectory, 'hasIssuer'>;
}

/**
 * Trusts the exact issuers of `auth.controllers[]` and of service accounts, and never the platform itself.
 * Attack: a token with any `iss` makes the service fetch any address. `auth.issuer` is not among them: the
 * login contacts it by itself, and its ID tokens are no bearer tokens of this API.
 */
export function createTrustedIssuers(deps: TrustedIssuersDeps): TrustedIssuers {
  const configured = new Set(deps.controllers.entries().map((entry) => entry.issuer));
  return {
    isTrusted(issuer) {
      if (issuer === deps.issuer) return false;
      return configured.has(issuer) || deps.serviceAccounts.hasIssuer(issuer);
    },
  };
}
