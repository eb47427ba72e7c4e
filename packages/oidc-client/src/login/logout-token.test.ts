import { generateKeyPair, type JWTPayload, SignJWT } from 'jose';
import { FakeOutbound, ISSUER as issuer, signingKey } from '../../test/provider.ts';
import { createProviderDocuments } from '../documents/provider-documents.ts';
import { createLogoutTokenVerifier } from './logout-token.ts';

const now = 1_800_000_000;
const event = 'http://schemas.openid.net/event/backchannel-logout';
const good = {
  iss: issuer,
  aud: 'platform',
  iat: now,
  exp: now + 120,
  jti: 'j1',
  sub: 'ann',
  sid: 'p1',
  events: { [event]: {} },
};

let keys: Awaited<ReturnType<typeof signingKey>>;
let strangers: CryptoKey;
beforeAll(async () => {
  keys = await signingKey('RS256', 'k1');
  strangers = (await generateKeyPair('RS256')).privateKey;
});

function verifier(options: { readonly broken?: boolean } = {}) {
  const outbound = new FakeOutbound();
  if (options.broken !== true) {
    outbound.json(`${issuer}/.well-known/openid-configuration`, { issuer, jwks_uri: `${issuer}/keys` });
    outbound.json(`${issuer}/keys`, { keys: [keys.jwk] });
  }
  const clock = { now: () => now * 1000 };
  const documents = createProviderDocuments({ outbound, clock });
  return createLogoutTokenVerifier({ issuer, clientId: 'platform', documents, clock });
}

function sign(claims: object, header: object = {}, key = keys.privateKey): Promise<string> {
  const protectedHeader = { alg: 'RS256', kid: 'k1', typ: 'logout+jwt', ...header };
  return new SignJWT(claims as JWTPayload).setProtectedHeader(protectedHeader).sign(key);
}

describe('a logout token', () => {
  it('names the account, the session at the provider, or both', async () => {
    const read = { issuer, subject: 'ann', providerSession: 'p1', tokenId: 'j1', expiresAt: now + 120 };
    expect(await verifier().verify(await sign(good))).toEqual(read);
    const { sub: _sub, ...bySession } = good;
    expect(await verifier().verify(await sign(bySession))).toEqual({ ...read, subject: null });
    const { sid: _sid, ...byAccount } = good;
    expect(await verifier().verify(await sign(byAccount, { typ: undefined }))).toEqual({
      ...read,
      providerSession: null,
    });
  });

  // Back-Channel Logout 1.0 section 2.6, each rule alone.
  it.each<[string, object, object?]>([
    ['of another issuer', { iss: 'https://evil.example' }],
    ['for another client', { aud: 'other' }],
    ['that has expired', { exp: now - 60 }],
    ['whose lifetime is too long', { exp: now + 10_000_000 }],
    ['without exp', { exp: undefined }],
    ['without iat', { iat: undefined }],
    ['of the future', { iat: now + 3600 }],
    ['without jti', { jti: undefined }],
    ['with a jti that is no text', { jti: 7 }],
    ['without events', { events: undefined }],
    ['with another event', { events: { 'http://schemas.openid.net/event/other': {} } }],
    ['whose events are null', { events: null }],
    ['whose events are a list', { events: [event] }],
    ['whose event is no object', { events: { [event]: 'yes' } }],
    // An ID token of the same provider.
    ['with a nonce', { nonce: 'n' }],
    ['without sub and sid', { sub: undefined, sid: undefined }],
    ['with a sid that is no text', { sid: {} }],
    ['with a NUL in sub', { sub: 'a\u0000' }],
    ['of another type', {}, { typ: 'at+jwt' }],
    ['whose type is a number', {}, { typ: 5 }],
    ['whose type is null', {}, { typ: null }],
    ['whose type is an object', {}, { typ: {} }],
    ['of an unknown key', {}, { kid: 'k2' }],
  ])('%s is not accepted', async (_what, claims, header = {}) => {
    expect(await verifier().verify(await sign({ ...good, ...claims }, header))).toBeNull();
  });

  it('of a stranger, unsigned, or signed with the client secret is not accepted', async () => {
    const unsigned = [{ alg: 'none' }, good].map((part) =>
      Buffer.from(JSON.stringify(part)).toString('base64url'),
    );
    const hmac = await new SignJWT(good)
      .setProtectedHeader({ alg: 'HS256', kid: 'k1' })
      .sign(Buffer.alloc(32));
    for (const token of [
      await sign(good, {}, strangers),
      `${unsigned.join('.')}.`,
      hmac,
      'x',
      'x'.repeat(9_000),
    ]) {
      expect(await verifier().verify(token)).toBeNull();
    }
  });

  it('cannot be verified while the keys of the provider cannot be read', async () => {
    await expect(verifier({ broken: true }).verify(await sign(good))).rejects.toMatchObject({
      code: 'unavailable',
    });
  });
});
