import { generateKeyPairSync, type KeyObject } from 'node:crypto';
import { calculateJwkThumbprint } from 'jose';
import { createRsaKeyRing, rsaKeyFaults } from './rsa-keys.ts';

const pair = generateKeyPairSync('rsa', { modulusLength: 2048 });
const old = generateKeyPairSync('rsa', { modulusLength: 2048 });
const short = generateKeyPairSync('rsa', { modulusLength: 1024 });
const curve = generateKeyPairSync('ec', { namedCurve: 'P-256' });
const pss = generateKeyPairSync('rsa-pss', { modulusLength: 2048 });
const privatePem = (key: KeyObject) => String(key.export({ format: 'pem', type: 'pkcs8' }));
const publicPem = (key: KeyObject) => String(key.export({ format: 'pem', type: 'spki' }));
const privateKeyPem = privatePem(pair.privateKey);

describe('the RS256 keys', () => {
  it('are published current first, then retired, with RFC 7638 thumbprints and no private member', async () => {
    const ring = createRsaKeyRing({ privateKeyPem, retiredPublicKeysPem: [publicPem(old.publicKey)] });
    const [current, retired] = ring.jwks.keys;
    expect(current?.kid).toBe(await calculateJwkThumbprint(pair.publicKey.export({ format: 'jwk' })));
    expect(retired?.kid).toBe(await calculateJwkThumbprint(old.publicKey.export({ format: 'jwk' })));
    expect(ring.kid).toBe(current?.kid);
    for (const key of ring.jwks.keys)
      expect(Object.keys(key).sort()).toEqual(['alg', 'e', 'kid', 'kty', 'n', 'use']);
  });

  it('are generated each time if none is configured, and marked as generated', () => {
    const [one, two] = [createRsaKeyRing({}), createRsaKeyRing({})];
    expect([one.generated, createRsaKeyRing({ privateKeyPem }).generated]).toEqual([true, false]);
    expect(one.kid).not.toBe(two.kid);
  });

  it('are published once when the current key is listed as retired too', () => {
    const ring = createRsaKeyRing({ privateKeyPem, retiredPublicKeysPem: [publicPem(pair.publicKey)] });
    expect(ring.jwks.keys).toHaveLength(1);
  });

  it('accept a public key that belongs to the private key', () => {
    expect(rsaKeyFaults({ privateKeyPem, publicKeyPem: publicPem(pair.publicKey) })).toEqual([]);
  });

  it('report every fault, without quoting a key', () => {
    const faults = rsaKeyFaults({
      privateKeyPem: 'nonsense',
      publicKeyPem: publicPem(curve.publicKey),
      retiredPublicKeysPem: [publicPem(short.publicKey), publicPem(pss.publicKey), 'x'],
    });
    expect(faults).toEqual([
      { path: '/server/rs256_private_key_pem', message: 'is not a readable PEM key' },
      { path: '/server/rs256_public_key_pem', message: 'is not an RSA key' },
      { path: '/server/rs256_retired_public_keys_pem/0', message: 'is shorter than 2048 bits' },
      { path: '/server/rs256_retired_public_keys_pem/1', message: 'is not an RSA key' },
      { path: '/server/rs256_retired_public_keys_pem/2', message: 'is not a readable PEM key' },
    ]);
  });

  it('are refused when the public key belongs to another private key, or to none', () => {
    const publicKeyPem = publicPem(old.publicKey);
    const path = '/server/rs256_public_key_pem';
    expect(rsaKeyFaults({ privateKeyPem, publicKeyPem })).toEqual([
      { path, message: 'does not belong to rs256_private_key_pem' },
    ]);
    expect(rsaKeyFaults({ publicKeyPem })).toEqual([{ path, message: 'needs rs256_private_key_pem' }]);
    expect(() => createRsaKeyRing({ privateKeyPem, publicKeyPem })).toThrow('does not belong');
  });
});
