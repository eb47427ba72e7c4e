import {
  constants,
  createHmac,
  createPublicKey,
  generateKeyPairSync,
  type KeyObject,
  sign as signBytes,
} from 'node:crypto';
import type { IdTokenExpectation } from '@platform/oauth-proxy';
import { SignJWT, UnsecuredJWT } from 'jose';
import { goodClaims, metadata, NOON, provider, signingKey } from '../../test/provider.ts';

const expected: IdTokenExpectation = { metadata, clientId: 'up', nonce: 'n1', accessToken: null };
const KEYS = 'https://idp.example/keys';

async function published(alg = 'RS256', kid: string | undefined = 'k1') {
  const fixture = provider();
  const key = await signingKey(alg, kid);
  fixture.outbound.json(KEYS, { keys: [key.jwk] });
  const verify = (token: string, changes: Partial<IdTokenExpectation> = {}) =>
    fixture.upstream.verifyIdToken(token, { ...expected, ...changes });
  return { ...fixture, ...key, verify };
}

const invalid = { name: 'UpstreamFault', kind: 'invalid_id_token' };

describe('verifyIdToken', () => {
  it.each([
    'RS256',
    'RS384',
    'RS512',
    'PS256',
    'PS384',
    'PS512',
    'ES256',
    'ES384',
    'ES512',
    'EdDSA',
    'Ed25519',
  ])('accepts a token signed %s', async (alg) => {
    const { sign, verify } = await published(alg);
    expect(await verify(await sign())).toEqual(goodClaims);
  });

  it.each([
    ['another issuer', { iss: 'https://evil.example' }],
    ['another audience', { aud: 'other' }],
    ['another authorized party', { aud: ['up', 'other'], azp: 'other' }],
    ['another nonce', { nonce: 'n2' }],
    ['no nonce', { nonce: undefined }],
    ['no subject', { sub: undefined }],
    ['more claims than any provider sends', { groups: Array.from({ length: 10_001 }, () => 1) }],
    ['an empty subject', { sub: '' }],
    ['no expiry', { exp: undefined }],
    ['no time of issue', { iat: undefined }],
    ['an expiry 30 seconds ago', { exp: NOON / 1000 - 30 }],
    ['a beginning in the future', { nbf: NOON / 1000 + 31 }],
    ['an expiry that never comes', { exp: 1e300 }],
    ['an expiry in milliseconds', { exp: NOON + 600_000 }],
    ['a time of issue that is not a date', { iat: 1e300 }],
    ['a beginning before 1970', { nbf: -1e300 }],
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

  // Attack: a provider publishes a hundred keys, and a token of a megabyte that names none is read once for each.
  it('tries ten keys for a token without key id, and no more', async () => {
    const { outbound, verify } = await published();
    const keys = await Promise.all(Array.from({ length: 11 }, () => signingKey('ES256')));
    outbound.json(KEYS, { keys: keys.map(({ jwk }) => jwk) });
    expect(await verify(await (keys[9]?.sign() ?? ''))).toMatchObject({ sub: 'u1' });
    await expect(verify(await (keys[10]?.sign() ?? ''))).rejects.toMatchObject(invalid);
  });

  // Attack: jose compares each of the operations of a key with all others, for each token.
  it('takes a key without the list of its operations when that is endless', async () => {
    const { outbound, verify, sign, jwk } = await published();
    const operations = Array.from({ length: 10_000 }, (_, at) => at.toString(36));
    outbound.json(KEYS, { keys: [{ ...jwk, key_ops: operations }] });
    expect(await verify(await sign())).toMatchObject({ sub: 'u1' });
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

/** A token with a header that no library would write, signed by the test. */
function handSigned(alg: string, signature: (input: string) => Buffer): string {
  const input = [{ alg, kid: 'k1' }, goodClaims]
    .map((part) => Buffer.from(JSON.stringify(part)).toString('base64url'))
    .join('.');
  return `${input}.${signature(input).toString('base64url')}`;
}

// That the list refuses them, and not what comes after it, shows in the code of the refusal.
describe('an algorithm that is not on the list', () => {
  const notAllowed = { ...invalid, message: 'ERR_JOSE_ALG_NOT_ALLOWED' };
  const rsa = generateKeyPairSync('rsa', { modulusLength: 2048 });
  const ec = generateKeyPairSync('ec', { namedCurve: 'secp256k1' });

  async function verifierFor(publicKey: KeyObject) {
    const { outbound, verify } = await published();
    outbound.json(KEYS, { keys: [{ ...publicKey.export({ format: 'jwk' }), kid: 'k1' }] });
    return verify;
  }

  it.each([
    ['PEM', rsa.publicKey.export({ type: 'spki', format: 'pem' })],
    ['DER', rsa.publicKey.export({ type: 'spki', format: 'der' })],
    ['JWK', JSON.stringify(rsa.publicKey.export({ format: 'jwk' }))],
  ])('is HS256, with the public RSA key as the secret, as %s', async (_form, secret) => {
    const verify = await verifierFor(rsa.publicKey);
    for (const [alg, hash] of [
      ['HS256', 'sha256'],
      ['HS512', 'sha512'],
    ] as const) {
      const token = handSigned(alg, (input) => createHmac(hash, secret).update(input).digest());
      await expect(verify(token)).rejects.toMatchObject(notAllowed);
    }
  });

  it.each(['none', 'None', 'rs256'])('is %j, without a signature and with a good one', async (alg) => {
    const verify = await verifierFor(rsa.publicKey);
    const sign = (input: string) => signBytes('sha256', Buffer.from(input), rsa.privateKey);
    for (const token of [handSigned(alg, sign), handSigned(alg, () => Buffer.alloc(0))]) {
      await expect(verify(token)).rejects.toMatchObject(notAllowed);
    }
  });

  it.each([
    ['RS1', 'sha1', { key: rsa.privateKey }],
    ['RS224', 'sha224', { key: rsa.privateKey }],
    ['PS224', 'sha224', { key: rsa.privateKey, padding: constants.RSA_PKCS1_PSS_PADDING, saltLength: 28 }],
    ['ES256K', 'sha256', { key: ec.privateKey, dsaEncoding: 'ieee-p1363' as const }],
  ])('is %s, with a good signature by the published key', async (alg, hash, key) => {
    const verify = await verifierFor(createPublicKey(key.key));
    const token = handSigned(alg, (input) => signBytes(hash, Buffer.from(input), key));
    await expect(verify(token)).rejects.toMatchObject(notAllowed);
  });
});
