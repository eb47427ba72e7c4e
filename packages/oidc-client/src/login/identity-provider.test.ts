import { FakeOutbound, ISSUER, metadata, signingKey } from '../../test/provider.ts';
import { createProviderDocuments } from '../documents/provider-documents.ts';
import { createIdentityProvider } from './identity-provider.ts';

const login = {
  state: 's1',
  nonce: 'n1',
  codeVerifier: 'v'.repeat(43),
  redirectUri: 'https://platform.example/cb',
};

function providerOn(outbound: FakeOutbound) {
  return createIdentityProvider({
    issuer: ISSUER,
    clientId: 'platform',
    clientSecret: 'secret',
    scopes: ['openid'],
    documents: createProviderDocuments({ outbound, clock: { now: () => Date.now() } }),
    outbound,
  });
}

/** A client of a provider whose token endpoint answers with an ID token of these claims. */
async function redeemed(claims: Record<string, unknown> = {}, header: Record<string, unknown> = {}) {
  const outbound = new FakeOutbound();
  const key = await signingKey('RS256', 'k1');
  // openid-client reads the clock of the machine.
  const now = Math.floor(Date.now() / 1000);
  const own = { aud: 'platform', iat: now, exp: now + 600, ...claims };
  outbound.json(`${ISSUER}/.well-known/openid-configuration`, metadata);
  outbound.json(`${ISSUER}/keys`, { keys: [key.jwk] });
  outbound.json(`${ISSUER}/token`, {
    access_token: 'at',
    token_type: 'bearer',
    id_token: await key.sign(own, header),
  });
  const parameters = new Map([
    ['code', 'c1'],
    ['state', 's1'],
  ]);
  return await providerOn(outbound).redeem({ ...login, parameters });
}

const secondsAgo = (seconds: number) => Math.floor(Date.now() / 1000) - seconds;

describe('the ID token of a login', () => {
  it.each([
    ['one audience', {}],
    ['the platform as authorized party', { azp: 'platform' }],
    ['two audiences and the platform as authorized party', { aud: ['platform', 'x'], azp: 'platform' }],
    ['an expiry within the clock tolerance', { exp: secondsAgo(10) }],
  ])('is accepted with %s', async (_what, claims) => {
    expect(await redeemed(claims)).toMatchObject({ iss: ISSUER, sub: 'u1' });
  });

  it.each([
    ['another issuer', { iss: 'https://evil.example' }],
    ['another audience', { aud: 'other' }],
    ['two audiences and no authorized party', { aud: ['platform', 'other'] }],
    ['another authorized party', { azp: 'other' }],
    ['another nonce', { nonce: 'n2' }],
    ['no nonce', { nonce: undefined }],
    ['no subject', { sub: undefined }],
    ['an expiry long ago', { exp: secondsAgo(60) }],
    ['a time of issue that is text', { iat: 'now' }],
  ])('is refused with %s', async (_what, claims) => {
    await expect(redeemed(claims)).rejects.toMatchObject({ name: 'IdentityProviderError' });
  });

  it('is refused when the key is not the provider’s', async () => {
    await expect(redeemed({}, { kid: 'k2' })).rejects.toMatchObject({ name: 'IdentityProviderError' });
  });
});

describe('the authorization request of a login', () => {
  it.each([
    [null, {}],
    [{ prompt: [], maxAge: null }, { max_age: '315360000' }],
    [
      { prompt: ['login', 'consent'], maxAge: null },
      { max_age: '315360000', prompt: 'login consent' },
    ],
    [{ prompt: [], maxAge: 0 }, { max_age: '0' }],
  ])('asks the provider for %j', async (authentication, expected) => {
    const outbound = new FakeOutbound();
    outbound.json(`${ISSUER}/.well-known/openid-configuration`, metadata);
    const url = await providerOn(outbound).authorizationUrl({ ...login, authentication });
    const sent = [...new URL(url).searchParams].filter(([name]) => name === 'max_age' || name === 'prompt');
    expect(Object.fromEntries(sent)).toEqual(expected);
  });
});
