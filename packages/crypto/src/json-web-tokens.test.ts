import {
  constants,
  createHmac,
  createPublicKey,
  generateKeyPairSync,
  type KeyObject,
  randomBytes,
  sign,
} from 'node:crypto';
import { createJsonWebTokens } from './json-web-tokens.ts';
import { createRsaKeyRing } from './rsa-keys.ts';
import { readSigningSecret } from './secret.ts';

const secretBytes = randomBytes(32);
const rsa = generateKeyPairSync('rsa', { modulusLength: 2048 });
const issuerRsa = generateKeyPairSync('rsa', { modulusLength: 2048 });
const ring = createRsaKeyRing({
  privateKeyPem: String(rsa.privateKey.export({ format: 'pem', type: 'pkcs8' })),
});
const signatures = createJsonWebTokens({
  secrets: [readSigningSecret(secretBytes.toString('base64'))],
  ring,
});

const pemOf = (key: KeyObject) => String(createPublicKey(key).export({ format: 'pem', type: 'spki' }));
const issuerKey = { kid: 'one', pem: pemOf(issuerRsa.privateKey) };

/** A token whose header names the algorithm that made its signature. */
function signedWith(alg: string, make: (input: Buffer) => Buffer): string {
  const input = [JSON.stringify({ alg, typ: 'JWT', kid: ring.kid }), '{}']
    .map((part) => Buffer.from(part).toString('base64url'))
    .join('.');
  return `${input}.${make(Buffer.from(input)).toString('base64url')}`;
}

describe('a signature of the platform', () => {
  it('is checked with the algorithm of the caller, not with that of the token', () => {
    const hs384 = signedWith('HS384', (input) => createHmac('sha384', secretBytes).update(input).digest());
    expect(signatures.verifyOwn(hs384, 'HS256')).toBe(false);
    const rs512 = signedWith('RS512', (input) => sign('sha512', input, rsa.privateKey));
    expect(signatures.verifyOwn(rs512, 'RS256')).toBe(false);
    const pss = { key: rsa.privateKey, padding: constants.RSA_PKCS1_PSS_PADDING, saltLength: 32 };
    expect(
      signatures.verifyOwn(
        signedWith('PS256', (input) => sign('sha256', input, pss)),
        'RS256',
      ),
    ).toBe(false);
  });

  it('is recognized', () => {
    const unsigned = { header: { alg: 'RS256', typ: 'JWT' }, claims: { sub: 'x' } } as const;
    expect(signatures.verifyOwn(signatures.sign(unsigned), 'RS256')).toBe(true);
    expect(signatures.verifyOwn(signatures.sign(unsigned), 'HS256')).toBe(false);
  });
});

describe('a signature of an external issuer', () => {
  const signedBy = (key: KeyObject) => signedWith('RS256', (input) => sign('sha256', input, key));
  const token = signedBy(issuerRsa.privateKey);

  it('is recognized by the key of the issuer, and by no other', () => {
    expect(signatures.verifyExternal(token, issuerKey)).toBe(true);
    expect(signatures.verifyExternal(token, { kid: 'one', pem: pemOf(rsa.privateKey) })).toBe(false);
  });

  it('is not recognized without a key, even if the platform itself made it', () => {
    expect(signatures.verifyExternal(token, undefined)).toBe(false);
    expect(signatures.verifyExternal(signedBy(rsa.privateKey), undefined)).toBe(false);
  });

  it('is RS256 and nothing else', () => {
    const rs512 = signedWith('RS512', (input) => sign('sha512', input, issuerRsa.privateKey));
    expect(signatures.verifyExternal(rs512, issuerKey)).toBe(false);
  });
});
