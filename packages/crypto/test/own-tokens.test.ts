import { generateKeyPairSync } from 'node:crypto';
import { createJsonWebTokens, createRsaKeyRing, readSigningSecret } from '@platform/crypto';
import { type AuthenticatorDeps, createTokenIssuer, issuedKinds, verifyOwn } from '@platform/tokens';
import {
  createFixture,
  forge,
  NOW,
  PLATFORM,
  ring,
  rsa,
  secretBytes,
  sessionClaims,
  signatures,
} from './fixture.ts';
import { issueFor, kindNames, verify } from './kinds.ts';

describe('an own token', () => {
  it.each(kindNames)('of kind %s holds until the second it expires, and does not begin early', (kind) => {
    const { tokens } = createFixture();
    const token = issueFor(tokens, kind);
    const { lifetimeKey } = issuedKinds[kind];
    const ttl =
      {
        'server.jwt_expiry_seconds': kind === 'id' ? 3600 : 86_400,
        'server.auth_token_max_ttl_seconds': 600,
      }[lifetimeKey] ?? 3600;
    expect([verify(kind, token, NOW + ttl - 1), verify(kind, token, NOW + ttl)]).toEqual([
      'accepted',
      'expired',
    ]);
  });

  it('is a session with just iss, aud, sub, email, iat and exp, and with or without typ', async () => {
    const { authenticator } = createFixture();
    for (const header of [{ alg: 'HS256' }, { alg: 'HS256', typ: 'JWT' }]) {
      const principal = await authenticator.bearer(forge(header, sessionClaims(), secretBytes));
      expect(principal).toMatchObject({
        type: 'user',
        uid: 'user-1',
        email: 'user@example.com',
        admin: false,
      });
    }
  });

  it.each([
    ['operator@example.com', 'operator', true],
    ['OPERATOR@Example.COM', 'operator', true],
    ['admin@example.com', 'user', true],
    ['user@example.com', 'user', false],
  ])('of %s stands for the type %s, admin %j', async (email, type, admin) => {
    const { authenticator } = createFixture();
    const token = forge({ alg: 'HS256' }, sessionClaims({ email }), secretBytes);
    expect(await authenticator.bearer(token)).toMatchObject({ type, uid: 'user-1', email, admin });
  });

  it('that is not valid yet is refused', () => {
    expect(verify('session', forge({ alg: 'HS256' }, sessionClaims({ nbf: NOW + 1 }), secretBytes))).toBe(
      'not_yet_valid',
    );
  });

  it('never has the id of another', () => {
    const { tokens } = createFixture();
    const ids = Array.from({ length: 50 }, () => issueFor(tokens, 'session').split('.')[1]);
    expect(new Set(ids).size).toBe(50);
  });

  it('has the lifetime that was asked for', () => {
    const { tokens } = createFixture();
    const workload = { project: 'p', projectUid: 'p', environment: 'e', deployment: 'd', audience: PLATFORM };
    const { token, expiresIn } = tokens.issue(issuedKinds.workload, workload, 60);
    expect(expiresIn).toBe(60);
    expect([verify('workload', token, NOW + 59), verify('workload', token, NOW + 60)]).toEqual([
      'accepted',
      'expired',
    ]);
  });
});

describe('the cache of verified tokens', () => {
  function counting(options: Partial<AuthenticatorDeps> = {}) {
    const calls = { verified: 0 };
    const fixture = createFixture({
      ...options,
      signatures: {
        ...signatures,
        verifyOwn: (token, alg) => {
          calls.verified += 1;
          return signatures.verifyOwn(token, alg);
        },
      },
    });
    return { ...fixture, calls };
  }

  it('has a token verified once, and again only after it would have expired', async () => {
    const { authenticator, calls, state } = counting();
    const token = forge({ alg: 'HS256' }, sessionClaims(), secretBytes);
    await authenticator.bearer(token);
    state.now += 59_000;
    await authenticator.bearer(token);
    expect(calls.verified).toBe(1);
    state.now += 1_000;
    await expect(authenticator.bearer(token)).rejects.toMatchObject({ code: 'unauthenticated' });
  });

  it('has the tokens that were used last remembered, as many as there is room for', async () => {
    const { authenticator, calls } = counting({ cacheCapacity: 2 });
    const [first = '', second = '', third = ''] = ['1', '2', '3'].map((sub) =>
      forge({ alg: 'HS256' }, sessionClaims({ sub }), secretBytes),
    );
    for (const token of [first, second, first, third, first]) await authenticator.bearer(token);
    expect(calls.verified).toBe(3);
    await authenticator.bearer(second);
    expect(calls.verified).toBe(4);
  });

  it('remembers no refusal', async () => {
    const { authenticator, calls } = counting();
    const token = forge({ alg: 'HS256' }, sessionClaims(), Buffer.alloc(32));
    await expect(authenticator.bearer(token)).rejects.toThrow();
    await expect(authenticator.bearer(token)).rejects.toThrow();
    expect(calls.verified).toBe(2);
  });

  it('hands out principals that nobody can change for the next request', async () => {
    const { authenticator } = createFixture();
    const principal = await authenticator.bearer(forge({ alg: 'HS256' }, sessionClaims(), secretBytes));
    expect(Object.isFrozen(principal)).toBe(true);
  });
});

describe('rotating the keys', () => {
  const next = generateKeyPairSync('rsa', { modulusLength: 2048 });
  const privateKeyPem = String(next.privateKey.export({ format: 'pem', type: 'pkcs8' }));
  const retired = String(rsa.publicKey.export({ format: 'pem', type: 'spki' }));
  const secret = readSigningSecret(secretBytes.toString('base64'));
  const expected = { issuer: PLATFORM, audience: PLATFORM, now: NOW };

  it('keeps earlier RS256 tokens while their key is listed as retired, and only then', () => {
    const token = issueFor(createFixture().tokens, 'workload');
    const rotated = createJsonWebTokens({
      secrets: [secret],
      ring: createRsaKeyRing({ privateKeyPem, retiredPublicKeysPem: [retired] }),
    });
    expect(verifyOwn(issuedKinds.workload, token, expected, rotated).ok).toBe(true);
    const forgotten = createJsonWebTokens({ secrets: [secret], ring: createRsaKeyRing({ privateKeyPem }) });
    expect(verifyOwn(issuedKinds.workload, token, expected, forgotten).ok).toBe(false);
  });

  it('signs with the current key only', () => {
    const rotatedRing = createRsaKeyRing({ privateKeyPem, retiredPublicKeysPem: [retired] });
    const fixture = createFixture();
    const tokens = createTokenIssuer({
      issuer: PLATFORM,
      lifetimes: { session: 1, access: 1, ingress: 1, workload: 1, id: 1 },
      signer: createJsonWebTokens({ secrets: [secret], ring: rotatedRing }),
      clock: fixture.deps.clock,
      random: { bytes: (length) => new Uint8Array(length) },
    });
    const header = JSON.parse(
      Buffer.from(issueFor(tokens, 'workload').split('.')[0] ?? '', 'base64url').toString(),
    );
    expect(header).toEqual({ alg: 'RS256', typ: 'JWT', kid: rotatedRing.kid });
    expect(rotatedRing.kid).not.toBe(ring.kid);
  });

  it('keeps every session while the signing secret is rotated', () => {
    const [old, fresh] = [secret, readSigningSecret(Buffer.alloc(32, 2).toString('base64'))];
    const unsigned = { header: { alg: 'HS256', typ: 'JWT' }, claims: sessionClaims() } as const;
    const sessionOf = (secrets: readonly [typeof old, ...(typeof old)[]]) =>
      createJsonWebTokens({ secrets, ring }).sign(unsigned);
    const rotating = createJsonWebTokens({ secrets: [fresh, old], ring });
    const others = createJsonWebTokens({ secrets: [old, fresh], ring });
    for (const token of [sessionOf([old]), sessionOf([fresh, old]), sessionOf([old, fresh])]) {
      expect(rotating.verifyOwn(token, 'HS256')).toBe(true);
      expect(others.verifyOwn(token, 'HS256')).toBe(true);
    }
    // Without `kid`, as programs make them that hold the secret.
    const minted = forge({ alg: 'HS256' }, sessionClaims(), secretBytes);
    expect(rotating.verifyOwn(minted, 'HS256')).toBe(true);
    const rotated = createJsonWebTokens({ secrets: [fresh], ring });
    expect(rotated.verifyOwn(minted, 'HS256')).toBe(false);
    expect(rotated.verifyOwn(sessionOf([fresh, old]), 'HS256')).toBe(true);
  });

  it('ends every session when the secret changes', () => {
    const token = issueFor(createFixture().tokens, 'session');
    const other = createJsonWebTokens({
      secrets: [readSigningSecret(Buffer.alloc(32, 1).toString('base64'))],
      ring,
    });
    expect(verifyOwn(issuedKinds.session, token, expected, other)).toEqual({
      ok: false,
      refusal: 'signature',
    });
  });
});
