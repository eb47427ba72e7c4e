import { Fixture } from '../../test/fixture.ts';
import { UpstreamFault } from '../ports/upstream.ts';
import { fetchUserinfo } from './fetch-userinfo.ts';
import { readEnvironment } from './read-environment.ts';
import { readKeySet } from './read-key-set.ts';
import { revokeToken } from './revoke-token.ts';

const form = (fixture: Fixture, values: Record<string, string>) => ({
  parameters: new Map(Object.entries({ client_id: 'shop-login', client_secret: fixture.secret, ...values })),
  authorization: undefined,
});

const jws = (iss: string) =>
  ['{"alg":"HS256"}', JSON.stringify({ iss, sub: 'op' }), 'sig']
    .map((part) => Buffer.from(part).toString('base64url'))
    .join('.');
const ours = [jws('https://platform.example'), jws('https://platform.example/oidc/other/login')];

describe('tokens of the platform', () => {
  it.each(ours)('never reach a provider (%#)', async (stolen) => {
    const fixture = new Fixture();
    await expect(fetchUserinfo(fixture.ports, fixture.name, `Bearer ${stolen}`)).rejects.toMatchObject({
      code: 'invalid_token',
    });
    await expect(
      revokeToken(fixture.ports, fixture.name, form(fixture, { token: stolen })),
    ).rejects.toMatchObject({
      code: 'unsupported_token_type',
    });
    await expect(fixture.token({ grant_type: 'refresh_token', refresh_token: stolen })).rejects.toMatchObject(
      {
        code: 'invalid_grant',
      },
    );
    expect(fixture.upstream.asked.map(({ method }) => method)).not.toContain('userinfo');
    expect(fixture.upstream.asked.map(({ method }) => method)).not.toContain('revoke');
    expect(fixture.upstream.asked.map(({ method }) => method)).not.toContain('refresh');
  });

  const [token = ''] = ours;
  it.each([
    ['white space around it', ` ${token}\n`],
    ['a segment before it', `x.${token}`],
    ['a segment behind it', `${token}.x`],
    ['escaped dots', token.replaceAll('.', '%2e')],
    ['quotes', `"${token}"`],
    ['a scheme', `Bearer ${token}`],
  ])('never reach a provider with %s', async (_what, sent) => {
    const fixture = new Fixture();
    const requests = [
      fetchUserinfo(fixture.ports, fixture.name, `bEARER ${sent}`),
      fetchUserinfo(fixture.ports, fixture.name, `  bearer   ${sent}`),
      revokeToken(fixture.ports, fixture.name, form(fixture, { token: sent })),
      fixture.token({ grant_type: 'refresh_token', refresh_token: sent }),
    ];
    const results = await Promise.allSettled(requests);
    expect(results.map(({ status }) => status)).toEqual(requests.map(() => 'rejected'));
    expect(fixture.upstream.asked).toEqual([]);
  });

  it('are told from those of the provider', async () => {
    const fixture = new Fixture();
    for (const token of [
      jws('https://idp.example'),
      jws('https://platform.example.evil'),
      'a.b.c',
      'a.e30.c',
    ]) {
      expect(await fetchUserinfo(fixture.ports, fixture.name, `Bearer ${token}`)).toMatchObject({
        status: 200,
      });
    }
  });
});

describe('fetchUserinfo', () => {
  it('forwards the access token and the answer', async () => {
    const fixture = new Fixture();
    expect(await fetchUserinfo(fixture.ports, fixture.name, 'Bearer at')).toMatchObject({
      status: 200,
      body: '{"sub":"u1"}',
    });
    expect(fixture.upstream.last('userinfo')).toEqual({
      endpoint: 'https://idp.example/me',
      accessToken: 'at',
    });
  });

  // Salesforce issues such tokens.
  it('forwards an access token of any visible characters', async () => {
    const fixture = new Fixture();
    await fetchUserinfo(fixture.ports, fixture.name, 'Bearer 00Dx!AQ|{"x":1}');
    expect(fixture.upstream.last('userinfo')).toMatchObject({ accessToken: '00Dx!AQ|{"x":1}' });
  });

  it.each([undefined, 'Basic x', 'Bearer a b', 'Bearer \u00e9', 'Bearer '])(
    'refuses the credential %j',
    async (authorization) => {
      const fixture = new Fixture();
      await expect(fetchUserinfo(fixture.ports, fixture.name, authorization)).rejects.toMatchObject({
        status: 401,
        challenge: expect.stringMatching(/^Bearer/),
      });
    },
  );

  it.each([
    [401, 401],
    [403, 403],
    [500, 502],
    [404, 502],
  ])('turns upstream’s %d into %d', async (status, ours) => {
    const fixture = new Fixture();
    fixture.upstream.userinfoAnswer = { status, contentType: 'text/html', body: '<p>secret</p>' };
    const refusal = expect(fetchUserinfo(fixture.ports, fixture.name, 'Bearer at')).rejects;
    await refusal.toMatchObject({ status: ours, message: expect.not.stringContaining('secret') });
  });
});

describe('revokeToken', () => {
  it('forwards what the app presents', async () => {
    const fixture = new Fixture();
    await revokeToken(
      fixture.ports,
      fixture.name,
      form(fixture, { token: 'at', token_type_hint: 'access_token' }),
    );
    expect(fixture.upstream.last('revoke')).toEqual({
      endpoint: 'https://idp.example/revoke',
      token: { token: 'at', hint: 'access_token' },
    });
  });

  it('opens a sealed refresh token, and takes one that cannot be opened for revoked', async () => {
    const fixture = new Fixture();
    const code = await fixture.code({ client_id: 'shop-login', response_type: 'code', scope: 'openid' });
    const { refresh_token: sealed } = await fixture.token({ grant_type: 'authorization_code', code });
    await revokeToken(fixture.ports, fixture.name, form(fixture, { token: String(sealed) }));
    expect(fixture.upstream.last('revoke')).toMatchObject({ token: { token: 'rt' } });
    await revokeToken(fixture.ports, fixture.name, form(fixture, { token: 'platform_rt.forged' }));
    expect(fixture.upstream.asked.filter((call) => call.method === 'revoke')).toHaveLength(1);
  });

  it('refuses a wrong secret', async () => {
    const fixture = new Fixture();
    const request = form(fixture, { token: 'at', client_secret: 'wrong' });
    await expect(revokeToken(fixture.ports, fixture.name, request)).rejects.toMatchObject({
      code: 'invalid_client',
    });
  });
});

describe('readKeySet', () => {
  it('still serves our keys when upstream is away', async () => {
    const fixture = new Fixture();
    fixture.upstream.discovery = new UpstreamFault('timeout', 'x');
    expect((await readKeySet(fixture.ports, fixture.name)).keys).toEqual([
      expect.objectContaining({ kid: 'ours' }),
    ]);
  });
});

describe('readEnvironment', () => {
  it('has the newest secret in clear', () => {
    const fixture = new Fixture();
    expect(readEnvironment(fixture.ports, fixture.extension)).toMatchObject({
      LOGIN_CLIENT_SECRET: fixture.secret,
    });
  });
});

describe('an extension name', () => {
  it.each(['', '\u0000', 'Shop', 'a/b', '..', 'a'.repeat(64)])(
    'that is none, like %j, is not looked up',
    async (project) => {
      const fixture = new Fixture();
      const asked: string[] = [];
      const extensions = {
        async find(name: string) {
          asked.push(name);
          return null;
        },
      };
      await expect(
        readKeySet({ ...fixture.ports, extensions }, { project, extension: 'login' }),
      ).rejects.toMatchObject({
        status: 404,
      });
      expect(asked).toEqual([]);
    },
  );
});
