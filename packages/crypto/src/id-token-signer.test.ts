import { createSealer } from '@platform/crypto';
import type { Sealer } from '@platform/kernel';
import {
  type SharedSigningKey,
  type SigningKeyStore,
  type StoredSigningKey,
  sharedKeyContext,
  signingKeyContext,
  signingKeyLife,
} from '@platform/oauth-proxy';
import { createMemorySigningKeyStore } from '@platform/oauth-proxy/conformance';
import { createLocalJWKSet, decodeProtectedHeader, jwtVerify } from 'jose';
import { createIdTokenSigner } from './id-token-signer.ts';

const aes = (fill: number) =>
  createSealer([{ id: `k${fill}`, key: Buffer.alloc(32, fill).toString('base64') }]);

function replica(store: SigningKeyStore, clock = { millis: 0 }, sealer: Sealer = aes(1)) {
  return createIdTokenSigner({ store, sealer, clock: { now: () => clock.millis } });
}

async function verified(token: string | null, keys: readonly unknown[]) {
  return (await jwtVerify(token ?? '', createLocalJWKSet({ keys } as never))).payload;
}

describe('the ID token signer', () => {
  it('signs what another replica publishes the key for', async () => {
    const store = createMemorySigningKeyStore();
    const [a, b] = [replica(store), replica(store)];
    const token = await a.sign('e1', { sub: 'u1', n: 1 });
    expect(await verified(token, await b.publicKeys('e1'))).toEqual({ sub: 'u1', n: 1 });
    expect(decodeProtectedHeader(token ?? '')).toEqual({
      alg: 'RS256',
      typ: 'JWT',
      kid: expect.stringMatching(/^[\w-]{43}$/),
    });
  });

  it('makes one key however many replicas begin at once', async () => {
    const store = createMemorySigningKeyStore();
    const replicas = [replica(store), replica(store), replica(store)];
    const tokens = await Promise.all(replicas.map((one) => one.sign('e1', { sub: 'u' })));
    const [keys] = await Promise.all(replicas.map((one) => one.publicKeys('e1')));
    expect(keys).toHaveLength(1);
    for (const token of tokens) await verified(token, keys ?? []);
  });

  // Race: the extension is deleted while its provider answers a refresh, and its keys with it.
  it('signs nothing for an extension that no longer exists', async () => {
    const store = { ...createMemorySigningKeyStore(), add: async () => {} };
    expect(await replica(store).sign('e1', { sub: 'u' })).toBeNull();
    expect(await replica(store).publicKeys('e1')).toEqual([]);
  });

  it('publishes public members only, and keeps the private ones sealed', async () => {
    const store = createMemorySigningKeyStore();
    const [key] = await replica(store).publicKeys('e1');
    expect(Object.keys(key ?? {}).sort()).toEqual(['alg', 'e', 'kid', 'kty', 'n', 'use']);
    const [stored] = await store.list('e1');
    expect(stored?.sealedPrivateKey).toMatch(/^v1\./);
  });

  it('rotates by itself, and a token of the old key stays good', async () => {
    const store = createMemorySigningKeyStore();
    const clock = { millis: 0 };
    const signer = replica(store, clock);
    const old = await signer.sign('e1', { sub: 'old' });
    clock.millis += signingKeyLife.rotateMs;
    const announced = await signer.publicKeys('e1');
    expect(announced).toHaveLength(2);
    expect(decodeProtectedHeader((await signer.sign('e1', {})) ?? '').kid).toBe(
      decodeProtectedHeader(old ?? '').kid,
    );
    clock.millis += signingKeyLife.announceMs;
    const fresh = await signer.sign('e1', { sub: 'new' });
    expect(decodeProtectedHeader(fresh ?? '').kid).not.toBe(decodeProtectedHeader(old ?? '').kid);
    expect(await verified(fresh, announced)).toEqual({ sub: 'new' });
    expect(await verified(old, await signer.publicKeys('e1'))).toEqual({ sub: 'old' });
    clock.millis += signingKeyLife.retireMs;
    expect(await signer.publicKeys('e1')).toHaveLength(1);
    expect(await store.list('e1')).toHaveLength(1);
  });

  it('learns of the keys of other replicas also after its clock was set back', async () => {
    const store = createMemorySigningKeyStore();
    const clock = { millis: 1_000_000 };
    const signer = replica(store, clock);
    await signer.publicKeys('e1');
    const [key] = await store.list('e1');
    await store.add('e1', { ...(key as StoredSigningKey), sequence: 2, createdAt: 0 });
    expect(await signer.publicKeys('e1')).toHaveLength(1);
    clock.millis = 0;
    expect(await signer.publicKeys('e1')).toHaveLength(2);
  });

  it('goes on with a new key when the old one cannot be opened', async () => {
    const store = createMemorySigningKeyStore();
    await replica(store).sign('e1', {});
    const after = replica(store, { millis: 0 }, aes(2));
    const token = await after.sign('e1', { sub: 'u' });
    expect(await verified(token, await after.publicKeys('e1'))).toEqual({ sub: 'u' });
    expect(await after.publicKeys('e1')).toHaveLength(2);
  });

  it('signs for each extension with keys of its own', async () => {
    const signer = replica(createMemorySigningKeyStore());
    const token = await signer.sign('e1', { sub: 'u' });
    expect(await verified(token, await signer.publicKeys('e1'))).toEqual({ sub: 'u' });
    await expect(verified(token, await signer.publicKeys('e2'))).rejects.toThrow();
  });

  it('goes on with a key that all extensions shared, until the own key was announced', async () => {
    const shared = createMemorySigningKeyStore();
    await replica(shared).sign('old', {});
    const [stored] = await shared.list('old');
    const jwk = String(aes(1).unseal(String(stored?.sealedPrivateKey), signingKeyContext('old')));
    const before: SharedSigningKey = {
      ...(stored as StoredSigningKey),
      sealedPrivateKey: aes(1).seal(jwk, sharedKeyContext),
      retiredAt: 0,
    };
    const clock = { millis: 0 };
    const signer = replica(createMemorySigningKeyStore([before]), clock);
    const sharedId = before.publicKey['kid'];
    const idOf = async () => decodeProtectedHeader((await signer.sign('e1', {})) ?? '').kid;
    expect(await idOf()).toBe(sharedId);
    expect(await signer.publicKeys('e1')).toHaveLength(2);
    clock.millis += signingKeyLife.announceMs;
    expect(await idOf()).not.toBe(sharedId);
    expect((await signer.publicKeys('e1')).map(({ kid }) => kid)).toContain(sharedId);
    clock.millis = signingKeyLife.retireMs;
    expect((await signer.publicKeys('e1')).map(({ kid }) => kid)).not.toContain(sharedId);
  });
});
