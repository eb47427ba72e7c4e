import type { OAuthError } from '@platform/kernel';
import { exchangeToken, jwtTokenType, readToken, tokenExchangeGrant } from '@platform/tokens';
import {
  createFixture,
  external,
  externalClaims,
  forge,
  ISSUER,
  NOW,
  OTHER_ISSUER,
  otherRsa,
  PLATFORM,
} from '../fixture.ts';
import { issueFor, kindNames } from '../kinds.ts';

const EMAIL = 'shop+ci@sa.platform.local';
const account = { aud: 'shop', sub: 'repo:acme/shop:ref:main' };

/** Genuine, and with all the claims of the account, but of another tenant's issuer. */
const ofOtherIssuer = forge(
  { alg: 'RS256', typ: 'JWT', kid: 'one' },
  externalClaims({ ...account, iss: OTHER_ISSUER }),
  otherRsa.privateKey,
);

function setup() {
  const fixture = createFixture();
  const send = (more: Record<string, unknown> = {}) =>
    exchangeToken(
      { ...fixture.deps, tokens: fixture.tokens },
      {
        grant_type: tokenExchangeGrant,
        subject_token: external(account),
        subject_token_type: jwtTokenType,
        identity: EMAIL,
        ...more,
      },
    );
  const refusal = (more: Record<string, unknown> = {}) =>
    send(more).then(
      () => 'accepted',
      (error: OAuthError) => JSON.stringify(error.body),
    );
  return { ...fixture, send, refusal };
}

describe('the exchange', () => {
  it('gives a service account an access token that the API knows it by', async () => {
    const { send, authenticator } = setup();
    const answer = await send();
    expect(answer).toEqual({
      access_token: expect.any(String),
      token_type: 'Bearer',
      issued_token_type: jwtTokenType,
      expires_in: 600,
    });
    expect(readToken(answer.access_token)).toEqual({
      header: { alg: 'HS256', typ: 'platform-access+jwt' },
      claims: {
        iss: PLATFORM,
        aud: PLATFORM,
        sub: `serviceaccount:${EMAIL}`,
        principal: { type: 'service_account', uid: 'sa-1', email: EMAIL, project: 'shop' },
        iat: NOW,
        exp: NOW + 600,
        jti: expect.stringMatching(/^[\w-]{22}$/),
      },
    });
    expect(await authenticator.bearer(answer.access_token)).toMatchObject({
      type: 'service_account',
      uid: 'sa-1',
    });
  });

  it('gives a controller an access token when no identity is named', async () => {
    const { send, authenticator } = setup();
    const { access_token: token } = await send({ subject_token: external(), identity: undefined });
    expect(await authenticator.bearer(token)).toEqual({ type: 'controller', id: 'ctrl.example.com' });
  });

  it('takes an empty identity for none (RFC 6749 section 3.2)', async () => {
    const { send } = setup();
    await expect(send({ subject_token: external(), identity: '' })).resolves.toBeDefined();
  });

  it('ignores parameters that it does not know', async () => {
    await expect(setup().send({ scope: 'all', audience: PLATFORM, anything: {} })).resolves.toBeDefined();
  });
});

describe('a malformed exchange', () => {
  it.each([
    ['grant_type', undefined],
    ['grant_type', ''],
    ['grant_type', [tokenExchangeGrant]],
    ['subject_token', undefined],
    ['subject_token', ''],
    ['subject_token', 7],
    ['subject_token', 'x'.repeat(8193)],
    ['subject_token', '\u00e9'.repeat(4097)],
    ['subject_token_type', undefined],
    ['subject_token_type', 'urn:ietf:params:oauth:token-type:access_token'],
    ['requested_token_type', 'urn:ietf:params:oauth:token-type:refresh_token'],
    ['actor_token', external()],
    ['identity', 7],
    ['identity', null],
    ['identity', ['a@example.com']],
    ['identity', 'a\u0000@example.com'],
    ['identity', 'a@example.com\n'],
    ['identity', '\ud800@example.com'],
    ['identity', `${'x'.repeat(400)}@example.com`],
  ])('with %s %j is an invalid_request', async (name, value) => {
    expect(await setup().refusal({ [name]: value })).toMatch(/^{"error":"invalid_request"/);
  });

  it('with several faults is an invalid_request that names each of them', async () => {
    const sent = {
      grant_type: '',
      subject_token: '',
      subject_token_type: 'x',
      actor_token: 'x',
      identity: 7,
    };
    const { error_description: description } = JSON.parse(await setup().refusal(sent));
    expect(description.split('; ')).toEqual([
      'grant_type is required',
      'subject_token is required',
      expect.stringMatching(/^subject_token_type must be /),
      'actor_token is not supported',
      expect.stringMatching(/^identity must be /),
    ]);
  });

  it.each([
    'authorization_code',
    'client_credentials',
    'URN:ietf:params:oauth:grant-type:token-exchange',
    'x',
  ])('with the grant %s is an unsupported_grant_type, whatever else is wrong', async (grant) => {
    const refusal = await setup().refusal({ grant_type: grant, subject_token: undefined });
    expect(refusal).toMatch(/^{"error":"unsupported_grant_type"/);
  });

  it('takes a subject token of exactly 8192 bytes for a token', async () => {
    expect(await setup().refusal({ subject_token: 'x'.repeat(8192) })).toMatch(/^{"error":"invalid_grant"/);
  });
});

describe('every failure that depends on who asks', () => {
  const same = '{"error":"invalid_grant","error_description":"The subject token was not accepted"}';

  it.each<[string, Record<string, unknown>]>([
    ['an unknown account', { identity: 'shop+none@sa.platform.local' }],
    ['the address of a user', { identity: 'operator@example.com' }],
    ['the address in another case', { identity: EMAIL.toUpperCase() }],
    ['an address that is no account, but no fault either', { identity: '\u00e9\u00e8' }],
    ['a wrong issuer', { subject_token: ofOtherIssuer }],
    [
      'an issuer that nobody has configured',
      { subject_token: external({ ...account, iss: 'https://x.example' }) },
    ],
    ['an unknown key', { subject_token: external(account, { kid: 'two' }) }],
    ['a wrong signature', { subject_token: `${external(account).slice(0, -20)}${'A'.repeat(20)}` }],
    ['no signature', { subject_token: external(account).replace(/[^.]*$/, '') }],
    ['an expired token', { subject_token: external({ ...account, exp: NOW - 31 }) }],
    [
      'a claim that does not match',
      { subject_token: external({ ...account, sub: 'repo:evil/shop:ref:main' }) },
    ],
    ['an audience that does not match', { subject_token: external({ ...account, aud: 'other' }) }],
    ['no audience', { subject_token: external({ ...account, aud: undefined }) }],
    ['no token at all', { subject_token: 'garbage' }],
    ["a controller's token", { subject_token: external() }],
    ['no identity for the token of a service account', { identity: undefined }],
    ['a controller that does not match', { identity: undefined, subject_token: external({ sub: 'x' }) }],
  ])('is the same invalid_grant, byte for byte: %s', async (_name, more) => {
    expect(await setup().refusal(more)).toBe(same);
  });

  it("a controller's claims from another issuer", async () => {
    const claims = externalClaims({ iss: OTHER_ISSUER });
    const token = forge({ alg: 'RS256', typ: 'JWT', kid: 'one' }, claims, otherRsa.privateKey);
    expect(await setup().refusal({ identity: undefined, subject_token: token })).toBe(same);
  });

  it('two controllers that match', async () => {
    const { refusal, controllers } = setup();
    controllers.push({ id: 'second', issuer: ISSUER, claims: { aud: 'platform' } });
    expect(await refusal({ identity: undefined, subject_token: external() })).toBe(same);
  });

  it("a controller's token for an account that a tenant registered on its claims", async () => {
    const { refusal, accounts } = setup();
    accounts.push({
      uid: 'x',
      email: 'x',
      project: 'x',
      issuerUrl: ISSUER,
      claims: { aud: 'platform', sub: '*' },
    });
    expect(await refusal({ identity: 'x', subject_token: external() })).toBe(same);
  });

  it('an account without a required audience', async () => {
    const { refusal, accounts } = setup();
    accounts.push({ uid: 'x', email: 'x', project: 'x', issuerUrl: ISSUER, claims: { sub: '*' } });
    expect(await refusal({ identity: 'x' })).toBe(same);
  });

  it.each(kindNames)(
    "the platform's own %s token, even if somebody configured the platform as an issuer",
    async (kind) => {
      const { refusal, controllers, tokens, asked } = setup();
      controllers.push({ id: 'self', issuer: PLATFORM, claims: { aud: '*' } });
      expect(await refusal({ identity: undefined, subject_token: issueFor(tokens, kind) })).toBe(same);
      expect(asked).toEqual([]);
    },
  );
});

describe('what a refusal costs', () => {
  /** The expensive steps of one refusal: the look-ups, the signature checks, in their order. */
  async function stepsOf(more: Record<string, unknown>) {
    const fixture = createFixture();
    const steps: string[] = [];
    const { externalKeys, serviceAccounts, signatures } = fixture.deps;
    const noting =
      <Args extends unknown[], Result>(step: string, run: (...args: Args) => Result) =>
      (...args: Args): Result => {
        steps.push(step);
        return run(...args);
      };
    const deps = {
      ...fixture.deps,
      tokens: fixture.tokens,
      externalKeys: { find: noting('key', externalKeys.find) },
      serviceAccounts: { ...serviceAccounts, findByEmail: noting('account', serviceAccounts.findByEmail) },
      signatures: { ...signatures, verifyExternal: noting('signature', signatures.verifyExternal) },
    };
    const request = {
      grant_type: tokenExchangeGrant,
      subject_token_type: jwtTokenType,
      identity: EMAIL,
      ...more,
    };
    await expect(exchangeToken(deps, request)).rejects.toMatchObject({ code: 'invalid_grant' });
    return steps;
  }

  it.each<[string, Record<string, unknown>]>([
    ['an unknown account', { identity: 'none', subject_token: external(account) }],
    ['a claim mismatch of a known account', { subject_token: external({ ...account, sub: 'x' }) }],
    ['a wrong issuer of a known account', { subject_token: ofOtherIssuer }],
    ['a wrong issuer of an unknown account', { identity: 'none', subject_token: ofOtherIssuer }],
    ['an unknown key of a known account', { subject_token: external(account, { kid: 'two' }) }],
    [
      'an unknown key of an unknown account',
      { identity: 'none', subject_token: external(account, { kid: 'two' }) },
    ],
  ])('is the same look-ups and one signature check, for %s', async (_name, more) => {
    expect(await stepsOf(more)).toEqual(['account', 'key', 'signature']);
  });
});
