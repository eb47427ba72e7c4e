import type { UpstreamClient } from '@platform/oauth-proxy';
import { stringifyExact } from '@platform/oauth-proxy';
import { ISSUER, metadata, NOON, provider } from '../../test/provider.ts';

const WELL_KNOWN = `${ISSUER}/.well-known/openid-configuration`;
const client = (listed?: readonly string[]): UpstreamClient => ({
  tokenEndpoint: `${ISSUER}/token`,
  metadata: listed === undefined ? metadata : { ...metadata, token_endpoint_auth_methods_supported: listed },
  clientId: 'up',
  clientSecret: 's+c r:t%ü',
});
const grant = { code: 'c', redirectUri: 'https://platform.example/cb', verifier: 'v' };
const tokens = { access_token: 'at', token_type: 'bearer' };

describe('discover', () => {
  it('keeps what is known and well-formed', async () => {
    const { upstream, outbound } = provider();
    const date = new Date(NOON + 5000).toUTCString();
    const document = {
      ...metadata,
      userinfo_endpoint: 'http://idp.example/me',
      revocation_endpoint: 'javascript:alert(1)',
      scopes_supported: ['openid'],
      claims_supported: 'sub',
      authorization_response_iss_parameter_supported: 'yes',
      other: 1,
    };
    outbound.answers.set(WELL_KNOWN, { body: JSON.stringify(document), headers: { date } });
    expect(await upstream.discover(ISSUER)).toEqual({
      metadata: { ...metadata, scopes_supported: ['openid'] },
      clockSkewMs: 5000,
    });
  });

  it('asks below an issuer with a path or a trailing slash', async () => {
    const { upstream, outbound } = provider();
    for (const issuer of [`${ISSUER}/realms/a`, `${ISSUER}/b/`]) {
      outbound.json(`${issuer.replace(/\/$/, '')}/.well-known/openid-configuration`, { issuer });
      expect((await upstream.discover(issuer)).metadata.issuer).toBe(issuer);
    }
  });

  it.each([
    ['another issuer', { body: JSON.stringify({ ...metadata, issuer: `${ISSUER}/` }) }, 'issuer_mismatch'],
    ['a page', { body: '<html></html>', type: 'text/html' }, 'unreadable'],
    ['a list', { body: '[]' }, 'unreadable'],
    ['an error', { status: 500, body: '{}' }, 'bad_status'],
    ['nothing in time', 'timeout' as const, 'timeout'],
    ['too much', 'too_large' as const, 'too_large'],
    ['a redirect', { status: 302, body: '' }, 'bad_status'],
    ['no connection', 'unreachable' as const, 'unreachable'],
  ])('refuses %s', async (_what, answer, kind) => {
    const { upstream, outbound } = provider();
    outbound.answers.set(WELL_KNOWN, answer);
    await expect(upstream.discover(ISSUER)).rejects.toMatchObject({ name: 'UpstreamFault', kind });
  });

  it('believes a document for five minutes, and an old one for an hour while the provider is away', async () => {
    const { upstream, outbound, clock } = provider();
    outbound.json(WELL_KNOWN, metadata);
    await Promise.all([upstream.discover(ISSUER), upstream.discover(ISSUER)]);
    clock.millis += 299_999;
    await upstream.discover(ISSUER);
    expect(outbound.count(WELL_KNOWN)).toBe(1);
    clock.millis += 1;
    outbound.answers.set(WELL_KNOWN, 'timeout');
    expect((await upstream.discover(ISSUER)).metadata).toEqual(metadata);
    await expect(upstream.discover(ISSUER, { fresh: true })).rejects.toMatchObject({ kind: 'timeout' });
    clock.millis += 55 * 60_000;
    await expect(upstream.discover(ISSUER)).rejects.toMatchObject({ kind: 'timeout' });
  });
});

describe('a provider that is away', () => {
  it('is asked at most every two seconds, however often we are', async () => {
    const { upstream, outbound, clock } = provider();
    outbound.answers.set(WELL_KNOWN, 'unreachable');
    for (let request = 0; request < 5; request += 1) {
      await expect(upstream.discover(ISSUER)).rejects.toMatchObject({ kind: 'unreachable' });
    }
    expect(outbound.count(WELL_KNOWN)).toBe(1);
    clock.millis += 2000;
    outbound.json(WELL_KNOWN, metadata);
    expect((await upstream.discover(ISSUER)).metadata).toEqual(metadata);
  });
});

describe('exchangeCode', () => {
  it('sends code, redirect URI and verifier', async () => {
    const { upstream, outbound } = provider();
    outbound.json(`${ISSUER}/token`, tokens);
    expect(await upstream.exchangeCode(client(), grant)).toEqual({ outcome: 'tokens', answer: tokens });
    const [request] = outbound.sent;
    expect(Object.fromEntries(new URLSearchParams(String(request?.body)))).toEqual({
      grant_type: 'authorization_code',
      code: 'c',
      redirect_uri: 'https://platform.example/cb',
      code_verifier: 'v',
    });
    // RFC 6749, section 2.3.1: both halves form-encoded.
    const credentials = Buffer.from('up:s%2Bc+r%3At%25%C3%BC').toString('base64');
    expect(request?.headers?.['Authorization']).toBe(`Basic ${credentials}`);
  });

  it.each([
    ['the form where the provider lists nothing else', client(['client_secret_post', 'private_key_jwt'])],
    ['the form without discovery', { ...client(), metadata: null }],
  ])('uses %s', async (_what, of) => {
    const { upstream, outbound } = provider();
    outbound.json(`${ISSUER}/token`, tokens);
    await upstream.exchangeCode(of, grant);
    expect(outbound.sent[0]?.headers).not.toHaveProperty('Authorization');
    expect(new URLSearchParams(String(outbound.sent[0]?.body)).get('client_secret')).toBe('s+c r:t%ü');
  });

  it('tries the other way when the client is refused, and remembers it', async () => {
    const { upstream, outbound } = provider();
    outbound.answers.set(`${ISSUER}/token`, ({ headers }) =>
      headers?.['Authorization'] === undefined
        ? { body: JSON.stringify(tokens) }
        : { status: 401, body: '{"error":"invalid_client"}' },
    );
    expect(await upstream.exchangeCode(client(), grant)).toMatchObject({ outcome: 'tokens' });
    expect(await upstream.exchangeCode(client(), grant)).toMatchObject({ outcome: 'tokens' });
    expect(outbound.sent).toHaveLength(3);
  });

  it('tries the first way again when the provider refuses the one that worked', async () => {
    const { upstream, outbound } = provider();
    const accepts = (isBasic: boolean) =>
      outbound.answers.set(`${ISSUER}/token`, ({ headers }) =>
        isBasic === (headers?.['Authorization'] !== undefined)
          ? { body: JSON.stringify(tokens) }
          : { status: 401, body: '{"error":"invalid_client"}' },
      );
    for (const isBasic of [false, true, false]) {
      accepts(isBasic);
      expect(await upstream.exchangeCode(client(), grant)).toMatchObject({ outcome: 'tokens' });
    }
  });

  it('reports the first refusal when both ways are refused, and tries no third time', async () => {
    const { upstream, outbound } = provider();
    outbound.answers.set(`${ISSUER}/token`, { status: 401, body: '{"error":"invalid_client"}' });
    expect(await upstream.exchangeCode(client(), grant)).toEqual({
      outcome: 'rejected',
      status: 401,
      error: 'invalid_client',
    });
    expect(outbound.sent).toHaveLength(2);
  });

  it('does not send a code twice when it is the code that was refused', async () => {
    const { upstream, outbound } = provider();
    outbound.answers.set(`${ISSUER}/token`, { status: 400, body: '{"error":"invalid_grant"}' });
    expect(await upstream.exchangeCode(client(), grant)).toEqual({
      outcome: 'rejected',
      status: 400,
      error: 'invalid_grant',
    });
    expect(outbound.sent).toHaveLength(1);
  });

  it('reads a form-encoded answer', async () => {
    const { upstream, outbound } = provider();
    const type = 'application/x-www-form-urlencoded; charset=utf-8';
    outbound.answers.set(`${ISSUER}/token`, {
      type,
      body: 'access_token=gho_1&scope=user%2Crepo&token_type=bearer',
    });
    expect(await upstream.exchangeCode(client(), grant)).toEqual({
      outcome: 'tokens',
      answer: { access_token: 'gho_1', scope: 'user,repo', token_type: 'bearer' },
    });
  });

  it.each([
    [
      'a 200 with an error',
      { body: '{"error":"bad_verification_code","error_description":"x"}' },
      200,
      'bad_verification_code',
    ],
    [
      'a 200 form with an error',
      { type: 'application/x-www-form-urlencoded', body: 'error=bad_code&error_description=x' },
      200,
      'bad_code',
    ],
    ['an error that is no code', { status: 400, body: '{"error":{"message":"x"}}' }, 400, null],
    ['an error with a line break', { status: 400, body: '{"error":"a\\nb"}' }, 400, null],
    ['a redirect', { status: 302, type: 'text/plain', body: '' }, 302, null],
    ['a page', { status: 500, type: 'text/html', body: '<h1>oops</h1>' }, 500, null],
  ])('takes %s for a refusal', async (_what, answer, status, error) => {
    const { upstream, outbound } = provider();
    outbound.answers.set(`${ISSUER}/token`, answer);
    expect(await upstream.exchangeCode(client(), grant)).toEqual({ outcome: 'rejected', status, error });
  });

  it.each([
    ['a page', { type: 'text/html', body: '<a href="?a=b">x</a>' }],
    ['a page called text', { type: 'text/plain', body: '<a href="?a=b">x</a>' }],
    ['nothing', { body: '' }],
    ['JSON without tokens', { body: '{"ok":true}' }],
    [
      'tokens and more values than any provider sends',
      { body: `{"access_token":"at","a":[${'{},'.repeat(10_000)}{}]}` },
    ],
    [
      'a form with more values than any provider sends',
      { type: 'text/plain', body: `access_token=at${'&a=1'.repeat(10_000)}` },
    ],
    ['tokens with endless levels', { body: `{"access_token":"at","a":${'['.repeat(65)}${']'.repeat(65)}}` }],
    ['tokens that are no texts', { body: '{"access_token":{"a":1}}' }],
  ])('cannot use %s', async (_what, answer) => {
    const { upstream, outbound } = provider();
    outbound.answers.set(`${ISSUER}/token`, answer);
    await expect(upstream.exchangeCode(client(), grant)).rejects.toMatchObject({ kind: 'unreadable' });
  });

  it('reads JSON behind a byte order mark', async () => {
    const { upstream, outbound } = provider();
    outbound.answers.set(`${ISSUER}/token`, { body: '\uFEFF{"access_token":"at"}' });
    expect(await upstream.exchangeCode(client(), grant)).toMatchObject({ answer: { access_token: 'at' } });
    outbound.answers.set(WELL_KNOWN, { body: `\uFEFF${JSON.stringify(metadata)}` });
    expect((await upstream.discover(ISSUER)).metadata).toEqual(metadata);
  });

  // Ids of users at Instagram are numbers beyond 2^53.
  it('keeps the digits of numbers', async () => {
    const { upstream, outbound } = provider();
    const body = '{"access_token":"at","user_id":17841405793187219}';
    outbound.answers.set(`${ISSUER}/token`, { body });
    const outcome = await upstream.exchangeCode(client(), grant);
    expect(stringifyExact((outcome as { readonly answer?: unknown }).answer)).toBe(body);
  });

  it('keeps odd members of the answer as they are', async () => {
    const { upstream, outbound } = provider();
    outbound.answers.set(`${ISSUER}/token`, {
      body: '{"access_token":"at","__proto__":{"a":1},"error":null}',
    });
    const outcome = await upstream.exchangeCode(client(), grant);
    expect(JSON.stringify(outcome)).toContain('"__proto__":{"a":1}');
  });
});

describe('userinfo', () => {
  const ME = `${ISSUER}/me`;

  it('forwards JSON to the letter, and a signed answer', async () => {
    const { upstream, outbound } = provider();
    outbound.answers.set(ME, { body: '{"sub":"u1","n":12345678901234567890}' });
    expect(await upstream.userinfo(ME, 'at')).toEqual({
      status: 200,
      contentType: 'application/json',
      body: '{"sub":"u1","n":12345678901234567890}',
    });
    expect(outbound.sent[0]?.headers?.['Authorization']).toBe('Bearer at');
    outbound.answers.set(ME, { type: 'application/jwt', body: 'aaa.bbb.ccc' });
    expect(await upstream.userinfo(ME, 'at')).toMatchObject({
      contentType: 'application/jwt',
      body: 'aaa.bbb.ccc',
    });
  });

  it('forwards nothing of a page or of an error', async () => {
    const { upstream, outbound } = provider();
    outbound.answers.set(ME, { type: 'text/html', body: '<script>' });
    await expect(upstream.userinfo(ME, 'at')).rejects.toMatchObject({ kind: 'unreadable' });
    outbound.answers.set(ME, { status: 401, body: '{"detail":"secret"}' });
    expect(await upstream.userinfo(ME, 'at')).toEqual({ status: 401, contentType: 'text/plain', body: '' });
  });
});

describe('keys and revocation', () => {
  it('serves keys that are at most a minute old', async () => {
    const { upstream, outbound, clock } = provider();
    outbound.json(`${ISSUER}/keys`, { keys: [{ kty: 'RSA', kid: 'a', n: 'n', e: 'AQAB' }] });
    expect(await upstream.keys(metadata)).toHaveLength(1);
    outbound.json(`${ISSUER}/keys`, { keys: [] });
    expect(await upstream.keys(metadata)).toHaveLength(1);
    clock.millis += 60_000;
    expect(await upstream.keys(metadata)).toEqual([]);
    expect(await upstream.keys({ issuer: ISSUER })).toEqual([]);
  });

  // Attack: a provider publishes a key that is nested too deeply to be written as JSON again.
  it('serves keys without the members that no reader needs, however deep', async () => {
    const { outbound, upstream } = provider();
    const deep = `${'['.repeat(100_000)}${']'.repeat(100_000)}`;
    const body = `{"keys":[{"kty":"RSA","kid":"a","n":"n","e":"AQAB","x5c":["c"],"deep":${deep},"more":{"a":1}}]}`;
    outbound.answers.set(`${ISSUER}/keys`, { body });
    expect(await upstream.keys(metadata)).toEqual([{ kty: 'RSA', kid: 'a', n: 'n', e: 'AQAB', x5c: ['c'] }]);
  });

  it('fetches keys again for who asks for fresh ones, and names the failure that cached ones hide', async () => {
    const { upstream, outbound } = provider();
    const keys = [{ kty: 'RSA', kid: 'a', n: 'n', e: 'AQAB' }];
    outbound.json(`${ISSUER}/keys`, { keys: [] });
    expect(await upstream.keys(metadata)).toEqual([]);
    outbound.json(`${ISSUER}/keys`, { keys });
    expect(await upstream.keys(metadata, { fresh: true })).toEqual(keys);
    outbound.answers.set(`${ISSUER}/keys`, 'timeout');
    expect(await upstream.keys(metadata)).toEqual(keys);
    await expect(upstream.keys(metadata, { fresh: true })).rejects.toMatchObject({ kind: 'timeout' });
  });

  // Attack: an extension names a provider whose documents fill the memory of the platform.
  it('keeps no more of the documents of a provider than real ones have', async () => {
    const { upstream, outbound } = provider();
    const keyOf = (kid: string, more: object) => ({
      kty: 'RSA',
      kid,
      n: 'n'.repeat(342),
      e: 'AQAB',
      ...more,
    });
    const huge = Array.from({ length: 100 }, (_, index) => keyOf(`${index}`, { x5c: ['c'.repeat(10_000)] }));
    outbound.json(`${ISSUER}/keys`, { keys: [keyOf('odd', { other: 'o'.repeat(70_000) }), ...huge] });
    const kept = await upstream.keys(metadata);
    expect(JSON.stringify(kept).length).toBeLessThan(64 * 1024);
    expect(kept.map(({ kid }) => kid)).toEqual(Array.from({ length: 99 }, (_, index) => `${index}`));
    const scopes = Array.from({ length: 200 }, () => 's'.repeat(500));
    outbound.json(WELL_KNOWN, { ...metadata, scopes_supported: scopes, claims_supported: ['sub'] });
    expect((await upstream.discover(ISSUER)).metadata).toEqual({ ...metadata, claims_supported: ['sub'] });
  });

  it('posts a revocation as the client', async () => {
    const { upstream, outbound } = provider();
    outbound.answers.set(`${ISSUER}/revoke`, { body: '' });
    expect(await upstream.revoke(client(), `${ISSUER}/revoke`, { token: 't', hint: 'refresh_token' })).toBe(
      200,
    );
    expect(String(outbound.sent[0]?.body)).toBe('token=t&token_type_hint=refresh_token');
    expect(outbound.sent[0]?.headers?.['Authorization']).toMatch(/^Basic /);
  });

  // Another replica redeemed the code, so this one has not learnt yet which way the provider accepts.
  it('revokes with the other way when the client is refused', async () => {
    const { upstream, outbound } = provider();
    outbound.answers.set(`${ISSUER}/revoke`, ({ headers }) =>
      headers?.['Authorization'] === undefined ? { body: '' } : { status: 401, body: '' },
    );
    const revoke = () => upstream.revoke(client(), `${ISSUER}/revoke`, { token: 't', hint: null });
    expect(await revoke()).toBe(200);
    expect(new URLSearchParams(String(outbound.sent[1]?.body)).get('client_secret')).toBe('s+c r:t%ü');
    expect(await revoke()).toBe(200);
    expect(outbound.sent).toHaveLength(3);
  });

  // RFC 7009 section 2.2: an app that logs out cannot do anything about a token that has expired.
  it.each([
    [400, '{"error":"invalid_token"}', 200],
    [400, '{"error":"unsupported_token_type"}', 400],
    [503, '{"error":"invalid_token"}', 503],
    [500, '<h1>oops</h1>', 500],
  ])('takes the answer %d %s to a revocation for %d', async (status, body, expected) => {
    const { upstream, outbound } = provider();
    outbound.answers.set(`${ISSUER}/revoke`, { status, body });
    expect(await upstream.revoke(client(), `${ISSUER}/revoke`, { token: 't', hint: null })).toBe(expected);
  });
});
