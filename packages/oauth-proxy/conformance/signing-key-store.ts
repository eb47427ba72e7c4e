import type { SigningKeyStore, StoredSigningKey } from '../src/index.ts';

function key(sequence: number, note: string): StoredSigningKey {
  const publicKey = { kty: 'RSA', kid: note, n: 'n', e: 'AQAB' };
  return { sequence, publicKey, sealedPrivateKey: `sealed ${note}`, createdAt: Date.UTC(2026, 0, sequence) };
}

/** What every SigningKeyStore must do. `create` makes an empty one for each test. */
export function describeSigningKeyStore(create: () => Promise<SigningKeyStore>): void {
  it('lists the keys newest first, as they were added', async () => {
    const store = await create();
    await store.add(key(1, 'a'));
    await store.add(key(2, 'b'));
    expect(await store.list()).toEqual([key(2, 'b'), key(1, 'a')]);
  });

  it('keeps the key that was first', async () => {
    const store = await create();
    await Promise.all(['a', 'b', 'c', 'd'].map((note) => store.add(key(1, note))));
    const kept = await store.list();
    expect(kept).toHaveLength(1);
    await store.add(key(1, 'late'));
    expect(await store.list()).toEqual(kept);
  });

  it('removes the keys below a sequence', async () => {
    const store = await create();
    for (const sequence of [1, 2, 3]) await store.add(key(sequence, `${sequence}`));
    await store.removeBelow(3);
    expect((await store.list()).map((one) => one.sequence)).toEqual([3]);
  });
}
