import { setTimeout as delay } from 'node:timers/promises';
import { APP, CHALLENGE, Fixture, VERIFIER } from '../../test/fixture.ts';
import { UpstreamFault } from '../ports/upstream.ts';
import { accessTokenHash } from '../rules/id-token-claims.ts';

const oidc = { client_id: 'shop-login', response_type: 'code', scope: 'openid', nonce: 'app nonce' };
const pkce = { code_challenge: CHALLENGE };
const grant = { grant_type: 'authorization_code' };
const badCode = { code: 'invalid_grant', status: 400, message: 'Invalid or expired authorization code' };
const claimsOf = (answer: Record<string, unknown>) =>
  JSON.parse(String(answer['id_token']).replace('signed ', ''));

describe('issueTokens, authorization code', () => {
  it('hands a pass-through app what upstream sent, unknown members included', async () => {
    const fixture = new Fixture();
    const tokens = {
      access_token: 'at',
      token_type: 'bearer',
      expires_in: '3600',
      id_token: 'idt',
      refresh_token: 'rt',
      team: { id: 1 },
    };
    fixture.upstream.outcome = { outcome: 'tokens', answer: tokens };
    const code = await fixture.code();
    expect(await fixture.token({ ...grant, code })).toEqual({
      ...tokens,
      token_type: 'Bearer',
      expires_in: 3600,
    });
  });

  // Twitch sends a list of scopes; some providers compute the lifetime and do not round it.
  // oauth4webapi refuses a response with a null in place of a text.
  it('leaves out what the provider sends as null, and keeps the nulls of other members', async () => {
    const fixture = new Fixture();
    const nulls = { token_type: null, expires_in: null, refresh_token: null, scope: null, id_token: null };
    fixture.upstream.outcome = { outcome: 'tokens', answer: { access_token: 'at', ...nulls, team: null } };
    const answer = await fixture.token({ ...grant, code: await fixture.code() });
    expect(answer).toEqual({ access_token: 'at', token_type: 'Bearer', team: null });
  });

  it('gives scope and expires_in the types of RFC 6749', async () => {
    const fixture = new Fixture();
    const answer = { access_token: 'at', expires_in: 3599.7, scope: ['user:read', 'bits:read'] };
    fixture.upstream.outcome = { outcome: 'tokens', answer };
    const code = await fixture.code();
    expect(await fixture.token({ ...grant, code })).toEqual({
      access_token: 'at',
      token_type: 'Bearer',
      expires_in: 3599,
      scope: 'user:read bits:read',
    });
  });

  it.each([
    ['read:user,user:email', 'read:user user:email'],
    ['read, write', 'read write'],
    ['a,b c', 'a,b c'],
    ['one', 'one'],
    ['', ''],
  ])('separates scopes by spaces where the provider uses commas alone: %j', async (sent, scope) => {
    const fixture = new Fixture();
    fixture.upstream.outcome = { outcome: 'tokens', answer: { access_token: 'at', scope: sent } };
    const code = await fixture.code();
    expect(await fixture.token({ ...grant, code })).toMatchObject({ scope });
  });

  it('counts the time that the tokens have waited', async () => {
    const fixture = new Fixture();
    const code = await fixture.code();
    fixture.clock.advance(100 * 1_000);
    expect(await fixture.token({ ...grant, code })).toMatchObject({ expires_in: 3500 });
  });

  it('redeems a code once', async () => {
    const fixture = new Fixture();
    const code = await fixture.code();
    await fixture.token({ ...grant, code });
    await expect(fixture.token({ ...grant, code })).rejects.toMatchObject(badCode);
  });

  it('lets one of two concurrent redemptions win', async () => {
    const fixture = new Fixture();
    const code = await fixture.code();
    const both = await Promise.allSettled([
      fixture.token({ ...grant, code }),
      fixture.token({ ...grant, code }),
    ]);
    expect(both.map((result) => result.status).sort()).toEqual(['fulfilled', 'rejected']);
  });

  it('accepts a code for five minutes', async () => {
    const fixture = new Fixture();
    const [first, second] = [await fixture.code(), await fixture.code()];
    fixture.clock.advance(299 * 1_000);
    await fixture.token({ ...grant, code: first });
    fixture.clock.advance(1_000);
    await expect(fixture.token({ ...grant, code: second })).rejects.toMatchObject(badCode);
  });

  it('refuses the code of another extension', async () => {
    const fixture = new Fixture();
    const code = await fixture.code();
    fixture.extension = { ...fixture.extension, extensionUid: 'another' };
    await expect(fixture.token({ ...grant, code })).rejects.toMatchObject(badCode);
  });

  it.each([{}, oidc])('refuses the code of a login at another provider: %j', async (asked) => {
    const fixture = new Fixture();
    const code = await fixture.code(asked);
    const { extension } = fixture;
    const spec = { ...extension.spec, issuer_url: 'https://second.example' };
    fixture.extension = { ...extension, spec };
    await expect(fixture.token({ ...grant, code })).rejects.toMatchObject(badCode);
    fixture.extension = { ...extension, spec: { ...extension.spec, description: 'changed' } };
    expect(await fixture.token({ ...grant, code })).toMatchObject({ access_token: 'at' });
  });

  it('lets a public client redeem with its verifier', async () => {
    const fixture = new Fixture();
    const code = await fixture.code(pkce);
    const form = { ...grant, code, client_secret: null, code_verifier: VERIFIER };
    expect(await fixture.token(form)).toMatchObject({ access_token: 'at' });
  });

  it.each([
    ['a wrong verifier', pkce, { code_verifier: 'b'.repeat(43) }],
    ['a verifier that is too short', pkce, { code_verifier: 'a' }],
    ['no verifier, although it has the secret', pkce, {}],
    ['a verifier for a code without challenge', {}, { code_verifier: VERIFIER }],
    ['another redirect_uri', {}, { redirect_uri: `${APP}/` }],
  ])('refuses %s and keeps the code for who knows better', async (_what, asked, sent) => {
    const fixture = new Fixture();
    const code = await fixture.code(asked as Record<string, string>);
    await expect(fixture.token({ ...grant, code, ...(sent as object) })).rejects.toMatchObject({
      code: 'invalid_grant',
    });
    const right = 'code_challenge' in asked ? { code_verifier: VERIFIER } : {};
    expect(await fixture.token({ ...grant, code, redirect_uri: APP, ...right })).toMatchObject({
      access_token: 'at',
    });
  });

  it('does not give a code without challenge to a client without secret', async () => {
    const fixture = new Fixture();
    const code = await fixture.code();
    await expect(fixture.token({ ...grant, code, client_secret: null })).rejects.toMatchObject({
      code: 'invalid_client',
      status: 401,
    });
    await expect(
      fixture.token({ ...grant, code, client_secret: null, code_verifier: VERIFIER }),
    ).rejects.toMatchObject({ status: 401 });
  });

  it('takes the project URL for the redirect_uri that was omitted', async () => {
    const fixture = new Fixture();
    const upstream = await fixture.authorize();
    const url = await fixture.callback({ code: 'c', state: upstream.searchParams.get('state') ?? '' });
    expect(url.origin).toBe('https://shop.example');
    const code = url.searchParams.get('code') ?? '';
    expect(await fixture.token({ ...grant, code, redirect_uri: 'https://shop.example' })).toMatchObject({
      access_token: 'at',
    });
  });

  // Attack: parsers sort the combining marks of a host in quadratic time, and the holder of a code sends it again and again.
  it('does not parse a redirect_uri that is too long', async () => {
    const fixture = new Fixture();
    const upstream = await fixture.authorize();
    const url = await fixture.callback({ code: 'c', state: upstream.searchParams.get('state') ?? '' });
    const code = url.searchParams.get('code') ?? '';
    const long = `https://a${'\u0316\u0301'.repeat(250_000)}`;
    await expect(fixture.token({ ...grant, code, redirect_uri: long })).rejects.toMatchObject({
      code: 'invalid_grant',
    });
    await delay(0);
  });

  it.each([
    [{ grant_type: null }, 'invalid_request'],
    [{ grant_type: 'password' }, 'unsupported_grant_type'],
    [{ grant_type: 'authorization_code' }, 'invalid_request'],
    [{ grant_type: 'authorization_code', client_id: null, code: 'x' }, 'invalid_request'],
    [{ grant_type: 'authorization_code', client_secret: 'wrong', code: 'x' }, 'invalid_client'],
    [{ grant_type: 'authorization_code', code: 'unknown' }, 'invalid_grant'],
  ])('answers %j with %s', async (form, code) => {
    await expect(new Fixture().token(form)).rejects.toMatchObject({ code });
  });
});

describe('issueTokens, OpenID Connect', () => {
  it('issues an ID token of the proxy and adds the one of the upstream', async () => {
    const fixture = new Fixture();
    fixture.upstream.claims = {
      iss: 'https://idp.example',
      sub: 'u1',
      aud: ['up', 'x'],
      azp: 'up',
      iat: 1,
      exp: 2,
      nonce: 'ours',
      at_hash: 'theirs',
      c_hash: 'theirs',
      s_hash: 'theirs',
      email: 'e',
    };
    const answer = await fixture.token({ ...grant, code: await fixture.code(oidc) });
    expect(claimsOf(answer)).toEqual({
      iss: 'https://platform.example/oidc/shop/login',
      aud: 'shop-login',
      sub: 'u1',
      iat: 1,
      exp: 2,
      email: 'e',
      nonce: 'app nonce',
      upstream_iss: 'https://idp.example',
      at_hash: accessTokenHash('at'),
    });
    expect(answer['upstream_id_token']).toBe('idt');
  });

  it('computes at_hash as OpenID Connect Core says', () => {
    // The value of the example in OpenID Connect Core 1.0, appendix A.3.
    expect(accessTokenHash('jHkWEdUXMU1BwAsC4vtUsZwnNvTIxEl0z9K3vx5KF0Y')).toBe('77QmUPtjPfzWtF2AnpK9RQ');
  });

  it.each([
    ['no client_id', { response_type: 'code', scope: 'openid' }],
    ['no response_type', { client_id: 'shop-login', scope: 'openid' }],
    ['neither openid nor nonce', { client_id: 'shop-login', response_type: 'code', scope: 'email openidx' }],
  ])('passes through for a request with %s', async (_what, query) => {
    const fixture = new Fixture();
    expect(
      await fixture.token({ ...grant, code: await fixture.code(query as Record<string, string>) }),
    ).toMatchObject({ id_token: 'idt', refresh_token: 'rt' });
  });

  it('counts a nonce without openid as OpenID Connect', async () => {
    const fixture = new Fixture();
    const code = await fixture.code({ client_id: 'shop-login', response_type: 'code', nonce: 'n' });
    expect(claimsOf(await fixture.token({ ...grant, code }))).toMatchObject({ nonce: 'n' });
  });

  it('hands out no ID token when a provider without discovery sent none', async () => {
    const endpoints = {
      authorization_endpoint: 'https://idp.example/a',
      token_endpoint: 'https://idp.example/t',
    };
    const fixture = new Fixture({ spec: { ...new Fixture().extension.spec, ...endpoints } });
    fixture.upstream.discovery = new UpstreamFault('bad_status', 'no discovery');
    fixture.upstream.outcome = { outcome: 'tokens', answer: { access_token: 'at', token_type: 'bearer' } };
    expect(await fixture.token({ ...grant, code: await fixture.code(oidc) })).toEqual({
      access_token: 'at',
      token_type: 'Bearer',
    });
  });

  it('fails closed when upstream’s id_token is no text', async () => {
    const fixture = new Fixture();
    fixture.upstream.outcome = { outcome: 'tokens', answer: { access_token: 'at', id_token: {} } };
    expect((await fixture.login(oidc)).searchParams.get('error')).toBe('server_error');
  });
});

describe('issueTokens, refresh', () => {
  const refresh = { grant_type: 'refresh_token' };

  it('passes a token through untouched, both ways', async () => {
    const fixture = new Fixture();
    const answer = await fixture.token({ ...refresh, refresh_token: 'upstream rt', scope: 'a' });
    expect(fixture.upstream.last('refresh')).toMatchObject({
      grant: { refreshToken: 'upstream rt', scope: 'a' },
    });
    expect(answer).toMatchObject({ id_token: 'idt', refresh_token: 'rt' });
  });

  it('needs the client secret', async () => {
    const form = { ...refresh, refresh_token: 'rt', client_secret: null };
    await expect(new Fixture().token(form)).rejects.toMatchObject({ code: 'invalid_client', status: 401 });
  });

  it('signs the refreshed ID token, and seals the new refresh token', async () => {
    const fixture = new Fixture();
    const first = await fixture.token({ ...grant, code: await fixture.code(oidc) });
    expect(first['refresh_token']).toMatch(/^platform_rt\./);
    const second = await fixture.token({ ...refresh, refresh_token: String(first['refresh_token']) });
    expect(fixture.upstream.last('refresh')).toMatchObject({ grant: { refreshToken: 'rt' } });
    expect(claimsOf(second)).toMatchObject({
      iss: 'https://platform.example/oidc/shop/login',
      aud: 'shop-login',
    });
    expect(claimsOf(second)).not.toHaveProperty('nonce');
    expect(second['refresh_token']).toMatch(/^platform_rt\./);
  });

  // Race: the provider takes seconds to answer.
  it('is 404 for an extension that is deleted meanwhile', async () => {
    const fixture = new Fixture();
    const first = await fixture.token({ ...grant, code: await fixture.code(oidc) });
    fixture.isDeleted = true;
    const second = fixture.token({ ...refresh, refresh_token: String(first['refresh_token']) });
    await expect(second).rejects.toMatchObject({ code: 'invalid_request', status: 404 });
  });

  it('keeps the subject in mind over a refresh without ID token', async () => {
    const fixture = new Fixture();
    const first = await fixture.token({ ...grant, code: await fixture.code(oidc) });
    fixture.upstream.outcome = { outcome: 'tokens', answer: { access_token: 'at2', refresh_token: 'rt2' } };
    const second = await fixture.token({ ...refresh, refresh_token: String(first['refresh_token']) });
    fixture.upstream.outcome = { outcome: 'tokens', answer: { access_token: 'at3', id_token: 'idt' } };
    fixture.upstream.claims = { iss: 'https://idp.example', sub: 'somebody else' };
    const third = fixture.token({ ...refresh, refresh_token: String(second['refresh_token']) });
    await expect(third).rejects.toMatchObject({ code: 'server_error', status: 502 });
  });

  it('refuses a sealed token of another extension or provider', async () => {
    const fixture = new Fixture();
    const first = await fixture.token({ ...grant, code: await fixture.code(oidc) });
    const sealed = String(first['refresh_token']);
    const own = fixture.extension;
    fixture.extension = { ...own, extensionUid: 'another' };
    await expect(fixture.token({ ...refresh, refresh_token: sealed })).rejects.toMatchObject({
      code: 'invalid_grant',
    });
    fixture.extension = { ...own, spec: { ...own.spec, client_id: 'another' } };
    await expect(fixture.token({ ...refresh, refresh_token: sealed })).rejects.toMatchObject({
      code: 'invalid_grant',
    });
    expect(fixture.upstream.last('refresh')).toBeUndefined();
  });

  it.each([
    [400, 'invalid_grant', 'invalid_grant', 400],
    [400, 'invalid_scope', 'invalid_scope', 400],
    [400, null, 'invalid_grant', 400],
    [200, 'bad_refresh_token', 'invalid_grant', 400],
    [401, 'invalid_client', 'server_error', 502],
    [403, 'invalid_grant', 'invalid_grant', 400],
    [500, null, 'server_error', 502],
    // OAuth libraries discard the refresh token after invalid_grant, so answers that say nothing about the token are no such error.
    [429, null, 'temporarily_unavailable', 503],
    [429, 'rate_limited', 'temporarily_unavailable', 503],
    [408, null, 'temporarily_unavailable', 503],
    [400, 'temporarily_unavailable', 'temporarily_unavailable', 503],
    [503, 'temporarily_unavailable', 'temporarily_unavailable', 503],
    [400, 'slow_down', 'temporarily_unavailable', 503],
    [302, null, 'server_error', 502],
    [403, null, 'server_error', 502],
    [404, 'Not Found', 'server_error', 502],
    [400, 'server_error', 'server_error', 502],
  ])('turns upstream’s %d %s into %s', async (status, error, code, ours) => {
    const fixture = new Fixture();
    fixture.upstream.outcome = { outcome: 'rejected', status, error };
    await expect(fixture.token({ ...refresh, refresh_token: 'rt' })).rejects.toMatchObject({
      code,
      status: ours,
      message: `Token exchange failed with status ${status}`,
    });
  });
});
