import { createSealer } from '@platform/crypto-node';
import type { Sealer } from '@platform/kernel';
import { type SigningKeyStore, signingKeyLife } from '@platform/oauth-proxy';
import { createMemorySigningKeyStore } from '@platform/oauth-proxy/conformance';
import { createLocalJWKSet, decodeProtectedHeader, jwtVerify } from 'jose';
import { createIdTokenSigner } from './id-token-signer.ts';

const aes = (fill: number) =>
  createSealer([{ id: `k${fill}`, key: Buffer.alloc(32, fill).toString('base64') }]);

function replica(store: SigningKeyStore, clock = { millis: 0 }, sealer: Sealer = aes(1)) {
  return createIdTokenSigner({ store, sealer, clock: { now: () => clock.millis } });
}

async function verified(token: string, keys: readonly unknown[]) {
  return (await jwtVerify(token, createLocalJWKSet({ keys } as never))).payload;
}

describe('the ID token signer', () => {
  it('signs what another replica publishes the key for', async () => {
    const store = createMemorySigningKeyStore();
    const [a, b] = [replica(store), replica(store)];
    const token = await a.sign({ sub: 'u1', n: 1 });
    expect(await verified(token, await b.publicKeys())).toEqual({ sub: 'u1', n: 1 });
    expect(decodeProtectedHeader(token)).toEqual({
      alg: 'RS256',
      typ: 'JWT',
      kid: expect.stringMatching(/^[\w-]{43}$/),
    });
  });

  it('makes one key however many replicas begin at once', async () => {
    const store = createMemorySigningKeyStore();
    const replicas = [replica(store), replica(store), replica(store)];
    const tokens = await Promise.all(replicas.map((one) => one.sign({ sub: 'u' })));
    const [keys] = await Promise.all(replicas.map((one) => one.publicKeys()));
    expect(keys).toHaveLength(1);
    for (const token of tokens) await verified(token, keys ?? []);
  });

  it('publishes public members only, and keeps the private ones sealed', async () => {
    const store = createMemorySigningKeyStore();
    const [key] = await replica(store).publicKeys();
    expect(Object.keys(key ?? {}).sort()).toEqual(['alg', 'e', 'kid', 'kty', 'n', 'use']);
    const [stored] = await store.list();
    expect(stored?.sealedPrivateKey).toMatch(/^v1\./);
  });

  it('rotates by itself, and a token of the old key stays good', async () => {
    const store = createMemorySigningKeyStore();
    const clock = { millis: 0 };
    const signer = replica(store, clock);
    const old = await signer.sign({ sub: 'old' });
    clock.millis += signingKeyLife.rotateMs;
    const announced = await signer.publicKeys();
    expect(announced).toHaveLength(2);
    expect(decodeProtectedHeader(await signer.sign({})).kid).toBe(decodeProtectedHeader(old).kid);
    clock.millis += signingKeyLife.announceMs;
    const fresh = await signer.sign({ sub: 'new' });
    expect(decodeProtectedHeader(fresh).kid).not.toBe(decodeProtectedHeader(old).kid);
    expect(await verified(fresh, announced)).toEqual({ sub: 'new' });
    expect(await verified(old, await signer.publicKeys())).toEqual({ sub: 'old' });
    clock.millis += signingKeyLife.retireMs;
    expect(await signer.publicKeys()).toHaveLength(1);
    expect(await store.list()).toHaveLength(1);
  });

  it('goes on with a new key when the old one cannot be opened', async () => {
    const store = createMemorySigningKeyStore();
    await replica(store).sign({});
    const after = replica(store, { millis: 0 }, aes(2));
    const token = await after.sign({ sub: 'u' });
    expect(await verified(token, await after.publicKeys())).toEqual({ sub: 'u' });
    expect(await after.publicKeys()).toHaveLength(2);
  });
});
