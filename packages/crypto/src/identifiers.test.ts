import { discriminatorPattern, parseUid } from '@platform/resources';
import { createIdentifiers, nodeRandomBytes } from './identifiers.ts';

const at = (now: number) => createIdentifiers(nodeRandomBytes, { now: () => now });

describe('uid', () => {
  it('is a canonical UUID of version 7 and of the RFC 9562 variant', () => {
    const uid = at(Date.UTC(2026, 0, 1)).uid();
    expect(parseUid(uid)).toBe(uid);
    expect(uid).toMatch(/^.{14}7.{4}[89ab]/);
  });

  it('contains the time in its first 48 bits, so that later uids sort after earlier ones', () => {
    expect(at(0x0123456789ab).uid().slice(0, 13)).toBe('01234567-89ab');
    expect(at(1_000).uid() < at(1_001).uid()).toBe(true);
  });

  it('is unique', () => {
    const identifiers = at(0);
    expect(new Set(Array.from({ length: 10_000 }, () => identifiers.uid())).size).toBe(10_000);
  });
});

describe('discriminator', () => {
  it('matches the pattern of discriminators', () => {
    const identifiers = at(0);
    for (let i = 0; i < 1_000; i += 1) expect(identifiers.discriminator()).toMatch(discriminatorPattern);
  });

  it('skips bytes that would favour some letters', () => {
    const draws = [Uint8Array.of(252, 253, 254, 255, 0, 35, 36, 251), Uint8Array.of(1, 2, 3, 4)];
    const identifiers = createIdentifiers(
      { bytes: () => draws.shift() ?? new Uint8Array() },
      { now: () => 0 },
    );
    expect(identifiers.discriminator()).toBe('a9a9bcde');
  });
});

describe('nodeRandomBytes', () => {
  it('returns the requested number of bytes, different each time', () => {
    expect(nodeRandomBytes.bytes(5000)).toHaveLength(5000);
    const draws = Array.from({ length: 1000 }, () => Buffer.from(nodeRandomBytes.bytes(16)).toString('hex'));
    expect(new Set(draws).size).toBe(1000);
  });
});
