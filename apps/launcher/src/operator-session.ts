import { randomBytes, randomUUID } from 'node:crypto';
import type { Config } from '@platform/config';
import { createJsonWebTokens, createRsaKeyRing, readSigningSecret } from '@platform/crypto';
import { systemClock } from '@platform/kernel';
import { createTokenIssuer, sessionKind } from '@platform/tokens';

/** A session of the first operator, for the printed `curl` line. */
export interface OperatorSession {
  readonly email: string;
  readonly token: string;
  /** Its lifetime in seconds. */
  readonly expiresIn: number;
}

// Short, because a printed token stays in the scrollback of the terminal.
const maxSeconds = 3600;

/** Mints a session; undefined if there is no operator. */
export function mintOperatorSession({
  server,
  auth,
  deployment_controller,
}: Config): OperatorSession | undefined {
  const email = auth.operator_users.find((entry) => typeof entry === 'string');
  if (email === undefined) return undefined;
  const issuer = createTokenIssuer({
    issuer: server.public_url,
    lifetimes: {
      session: server.jwt_expiry_seconds,
      access: server.auth_token_max_ttl_seconds,
      ingress: server.ingress_token_ttl_seconds,
      workload: deployment_controller.identity_token_ttl_seconds,
      id: server.jwt_expiry_seconds,
    },
    signer: createJsonWebTokens({
      secrets: [readSigningSecret(server.jwt_signing_secrets[0])],
      ring: createRsaKeyRing({ privateKeyPem: server.rs256_private_key_pem }),
    }),
    clock: systemClock,
    random: { bytes: (length) => randomBytes(length) },
  });
  const user = { uid: randomUUID(), email, claims: {} };
  const lifetime = Math.min(maxSeconds, server.jwt_expiry_seconds);
  const { token, expiresIn } = issuer.issue(sessionKind, user, lifetime);
  return { email, token, expiresIn };
}
