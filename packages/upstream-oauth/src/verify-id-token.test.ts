import type { IdTokenExpectation } from '@platform/oauth-proxy';
import { SignJWT, UnsecuredJWT } from 'jose';
import { goodClaims, metadata, NOON, provider, signingKey } from '../test/provider.ts';

const expected: IdTokenExpectation = { metadata, clientId: 'up', nonce: 'n1', accessToken: null };
const KEYS = 'https://idp.example/keys';

async function published(alg = 'RS256', kid: string | undefined = 'k1') {
  const world = provider();
  const key = await signingKey(alg, kid);
  world.outbound.json(KEYS, { keys: [key.jwk] });
  const verify = (token: string, changes: Partial<IdTokenExpectation> = {}) =>
    world.upstream.verifyIdToken(token, { ...expected, ...changes });
  return { ...world, ...key, verify };
}

const invalid = { name: 'UpstreamFault', kind: 'invalid_id_token' };

describe('verifyIdToken', () => {
  it.each(['RS256', 'RS512', 'PS256', 'ES256', 'ES384', 'EdDSA'])(
    'accepts a token signed %s',
    async (alg) => {
      const { sign, verify } = await published(alg);
      expect(await verify(await sign())).toEqual(goodClaims);
    },
  );

  it.each([
    ['another issuer', { iss: 'https://evil.example' }],
    ['another audience', { aud: 'other' }],
    ['another authorized party', { aud: ['up', 'other'], azp: 'other' }],
    ['another nonce', { nonce: 'n2' }],
    ['no nonce', { nonce: undefined }],
    ['no subject', { sub: undefined }],
    ['an empty subject', { sub: '' }],
    ['no expiry', { exp: undefined }],
    ['no time of issue', { iat: undefined }],
    ['an expiry 30 seconds ago', { exp: NOON / 1000 - 30 }],
    ['a beginning in the future', { nbf: NOON / 1000 + 31 }],
  ])('refuses a token with %s', async (_what, claims) => {
    const { sign, verify } = await published();
    await expect(verify(await sign(claims))).rejects.toMatchObject(invalid);
  });

  it('tolerates a clock that is 29 seconds off', async () => {
    const { sign, verify } = await published();
    expect(await verify(await sign({ exp: NOON / 1000 - 29 }))).toMatchObject({ sub: 'u1' });
  });

  it('refuses an unsigned token', async () => {
    const { verify } = await published();
    await expect(verify(new UnsecuredJWT(goodClaims).encode())).rejects.toMatchObject(invalid);
  });

  it('refuses a token signed with the client secret or with the public key as a secret', async () => {
    const { verify, jwk } = await published();
    for (const secret of ['client secret'.padEnd(32), JSON.stringify(jwk)]) {
      const token = await new SignJWT(goodClaims)
        .setProtectedHeader({ alg: 'HS256', kid: 'k1' })
        .sign(Buffer.from(secret));
      await expect(verify(token)).rejects.toMatchObject(invalid);
    }
  });

  it('refuses the signature of another key with the same id', async () => {
    const { verify } = await published();
    const other = await signingKey('RS256', 'k1');
    await expect(verify(await other.sign())).rejects.toMatchObject(invalid);
  });

  it.each(['', 'x', 'a.b.c', '..'])('refuses %j', async (token) => {
    const { verify } = await published();
    await expect(verify(token)).rejects.toMatchObject(invalid);
  });

  it('compares at_hash with the access token when both are there', async () => {
    const { sign, verify } = await published('RS256');
    // OpenID Connect Core 1.0, appendix A.3.
    const token = await sign({ at_hash: '77QmUPtjPfzWtF2AnpK9RQ' });
    const accessToken = 'jHkWEdUXMU1BwAsC4vtUsZwnNvTIxEl0z9K3vx5KF0Y';
    expect(await verify(token, { accessToken })).toMatchObject({ sub: 'u1' });
    await expect(verify(token, { accessToken: 'exchanged' })).rejects.toMatchObject(invalid);
  });

  it('does not ask for a nonce where none was sent', async () => {
    const { sign, verify } = await published();
    expect(await verify(await sign({ nonce: undefined }), { nonce: null })).toMatchObject({ sub: 'u1' });
  });

  it('finds the key of a token without key id among several', async () => {
    const { outbound, verify } = await published();
    const [first, second] = [await signingKey('RS256'), await signingKey('RS256')];
    outbound.json(KEYS, { keys: [first.jwk, second.jwk] });
    expect(await verify(await second.sign())).toMatchObject({ sub: 'u1' });
    await expect(verify(await (await signingKey('RS256')).sign())).rejects.toMatchObject(invalid);
  });

  it('follows a rotation at once, but asks at most every 30 seconds', async () => {
    const { outbound, clock, verify, sign } = await published();
    await verify(await sign());
    clock.millis += 30_000;
    const next = await signingKey('RS256', 'k2');
    outbound.json(KEYS, { keys: [next.jwk] });
    expect(await verify(await next.sign())).toMatchObject({ sub: 'u1' });
    const unknown = await (await signingKey('RS256', 'k3')).sign();
    await expect(verify(unknown)).rejects.toMatchObject(invalid);
    await expect(verify(unknown)).rejects.toMatchObject(invalid);
    expect(outbound.count(KEYS)).toBe(2);
  });

  it('says which claim is wrong, and quotes nothing of the token', async () => {
    const { sign, verify } = await published();
    const token = await sign({ aud: 'secret audience' });
    await expect(verify(token)).rejects.toMatchObject({ message: 'ERR_JWT_CLAIM_VALIDATION_FAILED aud' });
  });

  it('fails when the provider publishes no keys, or none that can be used', async () => {
    const { sign, verify, outbound, jwk } = await published();
    const { jwks_uri: _, ...without } = metadata;
    await expect(verify(await sign(), { metadata: without })).rejects.toMatchObject(invalid);
    outbound.json(KEYS, { keys: [null, 'x', { ...jwk, n: 'A'.repeat(100_000) }] });
    await expect(verify(await sign())).rejects.toMatchObject(invalid);
  });

  it('says so when the keys cannot be had', async () => {
    const { sign, verify, outbound } = await published();
    outbound.answers.set(KEYS, 'timeout');
    await expect(verify(await sign())).rejects.toMatchObject({ kind: 'timeout' });
  });
});
