import { randomBytes } from 'node:crypto';
import { readSigningSecret } from './secret.ts';

describe('the signing secret', () => {
  it('is at least 32 bytes of base64', () => {
    const bytes = randomBytes(32);
    expect(readSigningSecret(`${bytes.toString('base64')}\n`).export()).toEqual(bytes);
    expect(() => readSigningSecret(randomBytes(31).toString('base64'))).toThrow('shorter than 32 bytes');
  });

  it('is rejected without being quoted', () => {
    expect(() => readSigningSecret('not base64, but long enough to be taken for it!')).toThrow(
      /^the signing secret is not base64$/,
    );
  });
});
