import { generateKeyPairSync, randomBytes, randomUUID } from 'node:crypto';
import { systemClock } from '@platform/kernel';
import { createJsonWebTokens, createRsaKeyRing, readSigningSecret } from '@platform/signing';
import { createTokenIssuer, sessionKind } from '@platform/tokens';

export const publicUrl = 'http://localhost:1';
export const operator = 'bench@platform.localhost';
export const controllerId = 'controller.bench.example';

/** The configuration of the processes, as environment, and an operator's session that fits it. */
export interface Settings {
  readonly env: NodeJS.ProcessEnv;
  readonly session: string;
}

// One machine plays all users of the OAuth proxy, and one caller must not be refused for that.
const oauthRequestsPerMinute = 1_000_000_000;

/** Everything as shipped, but for secrets, who may do what, the rate limit of the OAuth proxy, and issuer and provider on this machine. */
export function makeSettings(
  databaseUrl: string,
  { issuer, upstream }: { readonly issuer: string; readonly upstream: string },
): Settings {
  const secret = randomBytes(32).toString('base64');
  const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
  const pem = privateKey.export({ type: 'pkcs8', format: 'pem' }).toString();
  const env = {
    PLATFORM__DATABASE__URL: databaseUrl,
    PLATFORM__SERVER__PUBLIC_URL: publicUrl,
    PLATFORM__SERVER__JWT_SIGNING_SECRET: secret,
    PLATFORM__SERVER__RS256_PRIVATE_KEY_PEM: JSON.stringify(pem),
    PLATFORM__ENCRYPTION__KEYS: JSON.stringify([{ id: 'k', key: randomBytes(32).toString('base64') }]),
    PLATFORM__AUTH__OPERATOR_USERS: JSON.stringify([operator]),
    PLATFORM__AUTH__ADMIN_USERS: JSON.stringify([operator]),
    PLATFORM__AUTH__CONTROLLERS: JSON.stringify([
      { id: controllerId, issuer, claims: { aud: 'platform', sub: 'bench-*' } },
    ]),
    PLATFORM__OUTBOUND__ALLOW_INSECURE_ORIGINS: JSON.stringify([issuer, upstream]),
    PLATFORM__LIMITS__OAUTH_REQUESTS_PER_MINUTE: String(oauthRequestsPerMinute),
  };
  return { env, session: operatorSession(secret, pem) };
}

function operatorSession(secret: string, privateKeyPem: string): string {
  const day = 86_400;
  const issuer = createTokenIssuer({
    issuer: publicUrl,
    lifetimes: { session: day, access: 600, ingress: 3_600, workload: 3_600, id: day },
    signer: createJsonWebTokens({
      secrets: [readSigningSecret(secret)],
      ring: createRsaKeyRing({ privateKeyPem }),
    }),
    clock: systemClock,
    random: { bytes: (length) => randomBytes(length) },
  });
  return issuer.issue(sessionKind, { uid: randomUUID(), email: operator, claims: {} }).token;
}
