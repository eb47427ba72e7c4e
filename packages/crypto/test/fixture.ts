import {
  createHmac,
  createPublicKey,
  generateKeyPairSync,
  type KeyObject,
  randomBytes,
  sign,
} from 'node:crypto';
import { createJsonWebTokens, createRsaKeyRing, readSigningSecret } from '@platform/crypto';
import {
  type AuthenticatorDeps,
  type ControllerEntry,
  createAuthenticator,
  createRoles,
  createTokenIssuer,
  type ExternalKey,
  type RawExternalToken,
  type ServiceAccountRecord,
} from '@platform/tokens';

export const PLATFORM = 'https://platform.example';
export const ISSUER = 'https://issuer.example';
export const OTHER_ISSUER = 'https://other.example';
/** The moment at which every test begins, in seconds. */
export const NOW = 1_750_000_000;

export const secretBytes = randomBytes(32);
export const rsa = generateKeyPairSync('rsa', { modulusLength: 2048 });
export const issuerRsa = generateKeyPairSync('rsa', { modulusLength: 2048 });
export const otherRsa = generateKeyPairSync('rsa', { modulusLength: 2048 });

export const ring = createRsaKeyRing({
  privateKeyPem: String(rsa.privateKey.export({ format: 'pem', type: 'pkcs8' })),
});
export const signatures = createJsonWebTokens({
  secrets: [readSigningSecret(secretBytes.toString('base64'))],
  ring,
});

type Json = Readonly<Record<string, unknown>>;

/** A token made by hand from any header and claims, as an attacker with this key could make it. */
export function forge(header: Json, claims: Json | string, key: Buffer | KeyObject | undefined): string {
  const body = typeof claims === 'string' ? claims : JSON.stringify(claims);
  const input = [JSON.stringify(header), body]
    .map((part) => Buffer.from(part).toString('base64url'))
    .join('.');
  let signature = Buffer.alloc(0);
  if (Buffer.isBuffer(key)) signature = createHmac('sha256', key).update(input).digest();
  else if (key !== undefined) signature = sign('sha256', Buffer.from(input), key);
  return `${input}.${signature.toString('base64url')}`;
}

const keyOf = (kid: string, key: KeyObject): ExternalKey => ({
  kid,
  pem: String(createPublicKey(key).export({ format: 'pem', type: 'spki' })),
});

/** A platform with a controller, a service account and two external issuers, on a clock that the test moves. */
export function createFixture(options: Partial<AuthenticatorDeps> = {}) {
  const state = { now: NOW * 1000 };
  const clock = { now: () => state.now };
  const asked: string[] = [];
  const events: RawExternalToken[] = [];
  const published = new Map([
    [`${ISSUER} one`, keyOf('one', issuerRsa.privateKey)],
    [`${OTHER_ISSUER} one`, keyOf('one', otherRsa.privateKey)],
  ]);
  const controllers: ControllerEntry[] = [
    { id: 'ctrl.example.com', issuer: ISSUER, claims: { aud: 'platform', sub: 'ctrl-*' } },
  ];
  const accounts: ServiceAccountRecord[] = [
    {
      uid: 'sa-1',
      email: 'shop+ci@sa.platform.local',
      project: 'shop',
      issuerUrl: ISSUER,
      claims: { aud: 'shop', sub: 'repo:acme/shop:*' },
    },
  ];
  const looked: string[] = [];
  const ended = new Set<string>();
  const deps: AuthenticatorDeps = {
    issuer: PLATFORM,
    signatures,
    externalKeys: {
      async find(issuer, kid) {
        asked.push(issuer);
        return published.get(`${issuer} ${kid}`);
      },
    },
    controllers: { entries: () => controllers },
    serviceAccounts: {
      async findByEmail(email) {
        looked.push(email);
        return accounts.find((account) => account.email === email);
      },
      listByIssuer: async (project, issuer) =>
        accounts.filter((account) => account.project === project && account.issuerUrl === issuer),
      hasIssuer: async (issuer) => accounts.some((account) => account.issuerUrl === issuer),
    },
    roles: createRoles(['operator@example.com'], ['operator@example.com', 'admin@example.com']),
    allowRawExternalTokens: true,
    endedSessions: { hasEnded: ({ id }) => ended.has(id ?? '') },
    onRawExternalToken: (event) => events.push(event),
    clock,
    ...options,
  };
  const tokens = createTokenIssuer({
    issuer: PLATFORM,
    lifetimes: { session: 86_400, access: 600, ingress: 3600, workload: 3600, id: 3600 },
    signer: signatures,
    clock,
    random: { bytes: (length) => randomBytes(length) },
  });
  const authenticator = createAuthenticator(deps);
  return { state, deps, tokens, authenticator, controllers, accounts, asked, looked, events, ended };
}

/** The claims of an external token that is good in every respect. */
export const externalClaims = (more: Json = {}): Json => ({
  iss: ISSUER,
  aud: 'platform',
  sub: 'ctrl-1',
  iat: NOW,
  exp: NOW + 300,
  ...more,
});

/** An external token of ISSUER. */
export const external = (more: Json = {}, header: Json = {}): string =>
  forge({ alg: 'RS256', typ: 'JWT', kid: 'one', ...header }, externalClaims(more), issuerRsa.privateKey);

/** The claims of a minimal session. */
export const sessionClaims = (more: Json = {}): Json => ({
  iss: PLATFORM,
  aud: PLATFORM,
  sub: 'user-1',
  email: 'user@example.com',
  iat: NOW,
  exp: NOW + 60,
  ...more,
});
