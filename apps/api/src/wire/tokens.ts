import type { Config } from '@platform/config';
import { createJsonWebTokens, createRsaKeyRing, readSigningSecret } from '@platform/crypto';
import { createJwksKeys } from '@platform/oidc-client';
import { createServiceAccountDirectory } from '@platform/store-postgres';
import {
  type Authenticator,
  createAuthenticator,
  createControllerDirectory,
  createRoles,
  createTokenIssuer,
  createTrustedIssuers,
  type EndedSessions,
  exchangeToken,
  type Roles,
  type SignatureVerifier,
  type TokenIssuer,
} from '@platform/tokens';
import type { AuthDeps } from '../routes/auth/index.ts';
import type { Infrastructure } from './infrastructure.ts';
import { measureIssuer } from './measured.ts';
import { logRefusedRawTokens } from './refused-raw-tokens.ts';

/** Who callers are, what the platform signs, and the endpoints around tokens. */
export interface TokenServices {
  readonly authenticator: Authenticator;
  readonly roles: Roles;
  readonly issuing: TokenIssuer;
  readonly signatures: SignatureVerifier;
  /** The `kid` of each key in the key set, the signing one first. */
  readonly keyIds: readonly string[];
  readonly auth: AuthDeps;
}

/** Puts the token model together. */
export function wireTokens(infrastructure: Infrastructure, endedSessions: EndedSessions): TokenServices {
  const { config, logging, metrics, store, documents, clock, random } = infrastructure;
  const { server, auth } = config;
  const issuer = server.public_url;
  const ring = createRsaKeyRing({
    privateKeyPem: server.rs256_private_key_pem,
    publicKeyPem: server.rs256_public_key_pem,
    retiredPublicKeysPem: server.rs256_retired_public_keys_pem,
  });
  const [signing, ...retired] = server.jwt_signing_secrets;
  const secrets = [readSigningSecret(signing), ...retired.map(readSigningSecret)] as const;
  const signatures = createJsonWebTokens({ secrets, ring });
  const controllers = createControllerDirectory(auth.controllers);
  const serviceAccounts = createServiceAccountDirectory(store.database);
  const externalKeys = createJwksKeys({
    documents,
    logger: logging.logger,
    trustedIssuers: createTrustedIssuers({ issuer, controllers, serviceAccounts }),
  });
  const roles = createRoles(auth.operator_users, auth.admin_users);
  const deprecation = logging.target('platform::deprecation');
  const identities = {
    issuer,
    externalKeys,
    signatures,
    clock,
    controllers,
    serviceAccounts,
    maxAgeSeconds: auth.external_token_max_age_seconds,
    onRefused: metrics.refused,
  };
  const issuing = measureIssuer(
    metrics,
    createTokenIssuer({
      issuer,
      lifetimes: lifetimesOf(config),
      signer: signatures,
      clock,
      random,
    }),
  );
  return {
    roles,
    issuing,
    signatures,
    keyIds: ring.jwks.keys.map(({ kid }) => kid),
    authenticator: createAuthenticator({
      ...identities,
      roles,
      endedSessions,
      allowRawExternalTokens: auth.allow_raw_external_tokens,
      onRawExternalToken: (event) =>
        deprecation.info('raw_external_token', { metric: 'raw_external_token', ...event }),
      onRefusedRawToken: logRefusedRawTokens(logging.logger, clock),
    }),
    auth: {
      publicUrl: issuer,
      jwks: ring.jwks,
      exchange: (parameters) => exchangeToken({ ...identities, tokens: issuing }, parameters),
      limits: infrastructure.limits,
    },
  };
}

/** Seconds. */
function lifetimesOf({ server, deployment_controller: controller }: Config) {
  return {
    session: server.jwt_expiry_seconds,
    access: server.auth_token_max_ttl_seconds,
    ingress: server.ingress_token_ttl_seconds,
    workload: controller.identity_token_ttl_seconds,
    id: server.jwt_expiry_seconds,
  };
}
