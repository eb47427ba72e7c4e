import type { StoredSigningKey } from '../model/signing-key.ts';
import { planSigningKeys, signingKeyLife } from './signing-keys.ts';

const { rotateMs, announceMs, retireMs } = signingKeyLife;
const key = (sequence: number, createdAt: number): StoredSigningKey => ({
  sequence,
  createdAt,
  publicKey: { kid: `key ${sequence}` },
  sealedPrivateKey: '',
});
const all = () => true;
const plan = (
  keys: readonly StoredSigningKey[],
  now: number,
  usable: (key: StoredSigningKey) => boolean = all,
) => {
  const { signing, published, due, removeBelow } = planSigningKeys(keys, usable, now);
  return {
    signing: signing?.sequence ?? null,
    published: published.map((one) => one.sequence),
    due,
    removeBelow,
  };
};

describe('planSigningKeys', () => {
  it('asks for a first key, which signs at once', () => {
    expect(plan([], 0)).toEqual({ signing: null, published: [], due: 1, removeBelow: 0 });
    expect(plan([key(1, 0)], 0)).toEqual({ signing: 1, published: [1], due: null, removeBelow: 1 });
  });

  it('asks for a successor in time and announces it before it signs', () => {
    const keys = [key(2, rotateMs), key(1, 0)];
    expect(plan([key(1, 0)], rotateMs)).toMatchObject({ signing: 1, due: 2 });
    expect(plan(keys, rotateMs + announceMs - 1)).toMatchObject({ signing: 1, published: [2, 1] });
    expect(plan(keys, rotateMs + announceMs)).toMatchObject({ signing: 2, published: [2, 1] });
  });

  it('stops publishing a key when no token of it can be left', () => {
    const keys = [key(2, rotateMs), key(1, 0)];
    expect(plan(keys, rotateMs + retireMs - 1)).toMatchObject({ published: [2, 1], removeBelow: 1 });
    expect(plan(keys, rotateMs + retireMs)).toMatchObject({ published: [2], removeBelow: 2 });
  });

  it('replaces a key of a clock that was far ahead, and lets the one before sign meanwhile', () => {
    const ahead = [key(2, 10 * rotateMs), key(1, 0)];
    expect(plan(ahead, announceMs)).toMatchObject({ signing: 1, published: [2, 1], due: 3 });
    const replaced = [key(3, announceMs), ...ahead];
    expect(plan(replaced, announceMs)).toMatchObject({ signing: 1, published: [3, 2, 1], due: null });
    expect(plan(replaced, 2 * announceMs)).toMatchObject({ signing: 3, published: [3, 2, 1], due: null });
    expect(plan([key(1, announceMs)], 0)).toMatchObject({ signing: 1, due: null });
  });

  it('replaces a key that cannot be opened any more, and still publishes it', () => {
    const lost = (one: StoredSigningKey) => one.sequence !== 1;
    expect(plan([key(1, 0)], 5, lost)).toMatchObject({ signing: null, published: [1], due: 2 });
    expect(plan([key(2, 5), key(1, 0)], 5, lost)).toMatchObject({ signing: 2, published: [2, 1], due: null });
  });
});
