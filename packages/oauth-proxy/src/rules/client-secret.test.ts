import { secretHash } from '@platform/kernel';
import { isClientSecret, rotatedSecrets } from './client-secret.ts';

const stored = (secret: string) => ({ hash: secretHash(secret), sealed: secret });

describe('client secrets', () => {
  it('are accepted when one of the stored hashes is theirs', () => {
    const both = [stored('new'), stored('old')];
    expect(isClientSecret('new', both)).toBe(true);
    expect(isClientSecret('old', both)).toBe(true);
    expect(isClientSecret('older', both)).toBe(false);
    expect(isClientSecret(secretHash('new'), both)).toBe(false);
    expect(isClientSecret('', [])).toBe(false);
  });

  it('stay valid through one rotation and not through two', () => {
    const once = rotatedSecrets([stored('a')], stored('b'));
    const twice = rotatedSecrets(once, stored('c'));
    expect(once.map((secret) => secret.sealed)).toEqual(['b', 'a']);
    expect(twice.map((secret) => secret.sealed)).toEqual(['c', 'b']);
  });

  it('do not break on a stored hash that is none', () => {
    expect(isClientSecret('x', [{ hash: 'zz', sealed: '' }])).toBe(false);
  });
});
