import type { SigningKeyStore, StoredSigningKey } from '../src/index.ts';

function key(sequence: number, note: string): StoredSigningKey {
  const publicKey = { kty: 'RSA', kid: note, n: 'n', e: 'AQAB' };
  return { sequence, publicKey, sealedPrivateKey: `sealed ${note}`, createdAt: Date.UTC(2026, 0, sequence) };
}

/** The extensions that exist in a store under test. */
export const signingExtensions = [
  '0197f0a0-0000-7000-8000-0000000000e1',
  '0197f0a0-0000-7000-8000-0000000000e2',
] as const;
const [mine, other] = signingExtensions;

/** The guarantees of every SigningKeyStore. `create` returns an empty store for each test, in which {@link signingExtensions} exist. */
export function describeSigningKeyStore(create: () => Promise<SigningKeyStore>): void {
  it('lists the keys newest first, as they were added', async () => {
    const store = await create();
    await store.add(mine, key(1, 'a'));
    await store.add(mine, key(2, 'b'));
    expect(await store.list(mine)).toEqual([key(2, 'b'), key(1, 'a')]);
  });

  it('keeps the key that was first', async () => {
    const store = await create();
    await Promise.all(['a', 'b', 'c', 'd'].map((note) => store.add(mine, key(1, note))));
    const kept = await store.list(mine);
    expect(kept).toHaveLength(1);
    await store.add(mine, key(1, 'late'));
    expect(await store.list(mine)).toEqual(kept);
  });

  it('removes the keys below a sequence', async () => {
    const store = await create();
    for (const sequence of [1, 2, 3]) await store.add(mine, key(sequence, `${sequence}`));
    await store.removeBelow(mine, 3);
    expect((await store.list(mine)).map((one) => one.sequence)).toEqual([3]);
  });

  it('keeps extensions apart', async () => {
    const store = await create();
    await store.add(mine, key(2, 'mine'));
    await store.add(other, key(1, 'other'));
    await store.removeBelow(mine, 3);
    expect(await store.list(mine)).toEqual([]);
    expect(await store.list(other)).toEqual([key(1, 'other')]);
    expect(await store.listShared()).toEqual([]);
  });
}
