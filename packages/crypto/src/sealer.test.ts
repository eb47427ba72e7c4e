import { createSealer, encryptionKeyFaults } from './sealer.ts';

const key = (fill: number) => Buffer.alloc(32, fill).toString('base64');
const first = { id: 'k1', key: key(1) };
const second = { id: 'k2', key: key(2) };
const context = { purpose: 'test', project: 'p', extension: 'e' };
const sealer = createSealer([first]);

describe('the sealer', () => {
  it.each(['', 'secret', 'ümläut \u0000 🔑', 'x'.repeat(100_000)])(
    'gives back what it sealed (%#)',
    (plaintext) => {
      expect(sealer.unseal(sealer.seal(plaintext, context), context)).toBe(plaintext);
    },
  );

  it('returns a versioned text with the id of its key, different each time', () => {
    const sealed = sealer.seal('secret', context);
    expect(sealed).toMatch(/^v1\.k1\.[\w-]+$/);
    expect(sealer.seal('secret', context)).not.toBe(sealed);
    expect(Buffer.from(sealed.split('.')[2] ?? '', 'base64url').includes('secret')).toBe(false);
  });

  it('reads a key in either alphabet, with or without padding', () => {
    const bytes = Buffer.alloc(32, 0xfb);
    const [standard, url] = (['base64', 'base64url'] as const).map((spelling) => bytes.toString(spelling));
    const sealed = createSealer([{ id: 'k', key: standard ?? '' }]).seal('secret', context);
    for (const other of [url, standard?.replace('=', '')])
      expect(createSealer([{ id: 'k', key: other ?? '' }]).unseal(sealed, context)).toBe('secret');
  });

  it('ignores the order of the context', () => {
    const sealed = sealer.seal('secret', context);
    expect(sealer.unseal(sealed, { extension: 'e', project: 'p', purpose: 'test' })).toBe('secret');
  });

  it.each([
    { purpose: 'other', project: 'p', extension: 'e' },
    { purpose: 'test', project: 'other', extension: 'e' },
    { purpose: 'test', project: 'p', extension: 'other' },
    { purpose: 'test', project: 'p' },
    { purpose: 'test' },
    { purpose: 'test', project: 'p', extension: 'e', more: '' },
    { purpose: 'test', project: 'p","extension":"e' },
    { purpose: 'test', project: 'e', extension: 'p' },
  ])('does not unseal in the context %j', (other) => {
    expect(sealer.unseal(sealer.seal('secret', context), other)).toBeNull();
  });

  it('detects a change of any byte', () => {
    const sealed = sealer.seal('secret', context);
    const [version, id, encoded] = sealed.split('.');
    const bytes = Buffer.from(encoded ?? '', 'base64url');
    for (let index = 0; index < bytes.length; index += 1) {
      const changed = Buffer.from(bytes);
      changed[index] = (changed[index] ?? 0) ^ 1;
      expect(sealer.unseal(`${version}.${id}.${changed.toString('base64url')}`, context)).toBeNull();
    }
  });

  it('rejects a shortened tag, another spelling, and other texts', () => {
    const sealed = sealer.seal('', context);
    const bytes = Buffer.from(sealed.split('.')[2] ?? '', 'base64url');
    const short = `v1.k1.${bytes.subarray(0, -4).toString('base64url')}`;
    for (const text of [
      short,
      `${sealed}=`,
      `${sealed}.x`,
      sealed.replace('v1', 'v2'),
      sealed.replace('k1', 'k9'),
      '',
      'v1',
      'v1.k1.',
      '...',
      'v1.__proto__.AAAA',
    ]) {
      expect(sealer.unseal(text, context)).toBeNull();
    }
  });

  it('unseals with every key and seals with the first', () => {
    const old = sealer.seal('secret', context);
    const rotated = createSealer([second, first]);
    expect(rotated.unseal(old, context)).toBe('secret');
    expect(rotated.seal('secret', context)).toMatch(/^v1\.k2\./);
    expect(sealer.unseal(rotated.seal('secret', context), context)).toBeNull();
  });

  it('does not unseal with another key of the same id', () => {
    expect(
      createSealer([{ id: 'k1', key: key(9) }]).unseal(sealer.seal('secret', context), context),
    ).toBeNull();
  });
});

describe('encryptionKeyFaults', () => {
  it('reports every fault', () => {
    const short = Buffer.alloc(31).toString('base64');
    const keys = [first, { id: 'k1', key: short }, { id: 'a.b', key: 'not base64' }];
    expect(encryptionKeyFaults(keys).map((fault) => fault.path)).toEqual([
      '/encryption/keys/1/id',
      '/encryption/keys/1/key',
      '/encryption/keys/2/id',
      '/encryption/keys/2/key',
    ]);
    expect(encryptionKeyFaults([])).toHaveLength(1);
    expect(() => createSealer(keys)).toThrow('is used twice');
  });
});
