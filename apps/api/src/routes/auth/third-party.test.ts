import { type IssuedToken, idKind, ingressKind, workloadKind } from '@platform/tokens';
import { JwtVerifier } from 'aws-jwt-verify';
import { SimpleJwksCache } from 'aws-jwt-verify/jwk';
import { createRemoteJWKSet, jwtVerify } from 'jose';
import { startPlatform } from '../../../test/platform-tokens.ts';

/** From here on only the address of the platform is known, as to any third party. */
let platform: Awaited<ReturnType<typeof startPlatform>>;
let metadata: { issuer: string; jwks_uri: string };

beforeAll(async () => {
  platform = await startPlatform({ clock: { now: () => Date.now() } });
  const answer = await fetch(`${platform.publicUrl}/.well-known/openid-configuration`);
  metadata = (await answer.json()) as typeof metadata;
});

afterAll(() => platform.close());

const user = { uid: 'user-1', email: 'user@example.com' };
const session = {
  id: 's1',
  startedAt: 1_700_000_000_000,
  expiresAt: 32_503_680_000,
  emailVerified: true,
  account: null,
  groups: [],
};
const ingress = { ...user, project: 'shop', projectUrl: 'https://shop.example', session };
const workload = {
  audience: 'sts.amazonaws.com',
  project: 'shop',
  projectUid: 'p-1',
  environment: 'production',
  deployment: 'd-1',
};

/** A token of each published kind, with the audience it is for. */
const published: readonly [string, () => IssuedToken, string][] = [
  ['ingress', () => platform.tokens.issue(ingressKind, ingress), 'https://shop.example'],
  ['workload', () => platform.tokens.issue(workloadKind, workload), 'sts.amazonaws.com'],
  ['id', () => platform.tokens.issue(idKind, { ...user, clientId: 'platform-cli' }), 'platform-cli'],
];

describe.each(published)('the %s token', (_kind, make, audience) => {
  it('is accepted by jose from the published addresses alone', async () => {
    const keys = createRemoteJWKSet(new URL(metadata.jwks_uri));
    const verified = await jwtVerify(make().token, keys, {
      issuer: metadata.issuer,
      audience,
      algorithms: ['RS256'],
      typ: 'JWT',
    });
    expect(verified.payload.aud).toBe(audience);
  });

  it('is refused by jose for another audience, and when it was changed', async () => {
    const keys = createRemoteJWKSet(new URL(metadata.jwks_uri));
    await expect(jwtVerify(make().token, keys, { audience: 'other' })).rejects.toThrow('"aud"');
    const [header, , signature] = make().token.split('.');
    const claims = Buffer.from('{"sub":"root"}').toString('base64url');
    await expect(jwtVerify(`${header}.${claims}.${signature}`, keys)).rejects.toThrow('signature');
  });

  it('is accepted by aws-jwt-verify from the published addresses alone', async () => {
    // It fetches https only; the addresses here are plain because they are on loopback.
    const fetcher = { fetch: async (url: string) => (await fetch(url)).arrayBuffer() };
    const verifier = JwtVerifier.create(
      { issuer: metadata.issuer, audience, jwksUri: metadata.jwks_uri },
      { jwksCache: new SimpleJwksCache({ fetcher }) },
    );
    expect((await verifier.verify(make().token)).aud).toBe(audience);
  });
});
