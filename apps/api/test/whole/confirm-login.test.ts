import { chooseAtDevelopmentProvider, ScriptlessBrowser, until } from '@platform/development/testing';
import { challengeOf } from '@platform/kernel';
import { apiWithProvider } from './with-provider.ts';

const api = apiWithProvider({}, { remembers: true });

const redirectUri = 'http://127.0.0.1:53123/done';
const confirmUrl = (choice: string) =>
  `${api.publicUrl}/api/v1/auth/authorize/confirm?${new URLSearchParams({ choice, redirect_uri: redirectUri })}`;
const authorizeUrl = (redirect_uri = redirectUri, more: Record<string, string> = {}) =>
  `${api.publicUrl}/api/v1/auth/authorize?${new URLSearchParams({
    response_type: 'code',
    client_id: 'platform-cli',
    redirect_uri,
    state: 'app-state',
    code_challenge: challengeOf('v'.repeat(64)),
    code_challenge_method: 'S256',
    ...more,
  })}`;
const atClient = (url: string) => url.startsWith(redirectUri);

/** Answers the page with the cookie of the browser. */
function answer(browser: ScriptlessBrowser, choice: string, origin: string | null = api.publicUrl) {
  const cookie = `platform_login=${browser.cookie('localhost', 'platform_login')}`;
  const headers = { cookie, ...(origin === null ? {} : { origin }) };
  return fetch(confirmUrl(choice), { method: 'POST', headers, redirect: 'manual' });
}

describe('a native login', () => {
  let browser: ScriptlessBrowser;

  // The first login of the browser: the provider asks who it is, so that nothing is left to confirm.
  beforeEach(async () => {
    browser = new ScriptlessBrowser();
    const first = await chooseAtDevelopmentProvider(browser, authorizeUrl(), 'admin', atClient);
    expect(new URL(first.location ?? '').searchParams.get('code')).toHaveLength(43);
    // The provider counts in seconds: the next login is one that begins in a later one.
    const second = Math.floor(Date.now() / 1000);
    while (Math.floor(Date.now() / 1000) === second) await new Promise((done) => setTimeout(done, 20));
  });

  it('of somebody whom the provider remembers asks first, on a page that runs and loads nothing', async () => {
    const page = await browser.follow(authorizeUrl(), atClient);
    expect([page.status, page.location]).toEqual([200, null]);
    expect(page.text).toContain('wants to act as admin@platform.localhost');
    const policy = page.headers.get('content-security-policy');
    expect(policy).not.toContain('unsafe');
    expect(policy).toContain(
      "base-uri 'none'; form-action 'self' http://127.0.0.1:53123; frame-ancestors 'none'",
    );
    for (const origin of [null, 'null', 'https://evil.example']) {
      expect((await answer(browser, 'allow', origin)).status).toBe(403);
    }
    const done = await answer(browser, 'allow');
    const back = new URL(done.headers.get('location') ?? '');
    expect([done.status, back.origin + back.pathname]).toEqual([303, redirectUri]);
    expect([...back.searchParams.keys()].sort()).toEqual(['code', 'iss', 'state']);
    expect((await answer(browser, 'allow')).status).toBe(400);
  });

  it.each([{ prompt: 'login' }, { max_age: '0' }])(
    'of somebody whom the provider remembers asks there again with %j',
    async (more) => {
      const asked = await chooseAtDevelopmentProvider(
        browser,
        authorizeUrl(redirectUri, more),
        'admin',
        atClient,
      );
      expect(new URL(asked.location ?? '').searchParams.get('code')).toHaveLength(43);
    },
  );

  it('of somebody whom the provider asked a moment ago goes on with max_age', async () => {
    const page = await browser.follow(authorizeUrl(redirectUri, { max_age: '900' }), atClient);
    expect(page.text).toContain('wants to act as admin@platform.localhost');
  });

  it('that another program opens in another tab does not get the answer to the first page', async () => {
    const page = await browser.follow(authorizeUrl(), atClient);
    const buttons = [...page.text.matchAll(/action="([^"]+)"/g)].map(([, action]) =>
      new URL((action ?? '').replaceAll('&#38;', '&'), api.publicUrl).toString(),
    );
    expect(buttons).toEqual([confirmUrl('allow'), confirmUrl('deny')]);
    const second = await browser.follow(authorizeUrl('http://127.0.0.1:6666/done'), atClient);
    expect(second.text).toContain('at port 6666');
    const refused = await answer(browser, 'allow');
    expect([refused.status, refused.headers.get('location')]).toEqual([400, null]);
  });

  it('is recorded with the answer of the user, and not before', async () => {
    const logins = async () => {
      const audit = api.as('operator', 'get', '/api/v1/audit').query({ action: 'auth.login' });
      return (await audit.expect(200)).body.items;
    };
    await browser.follow(authorizeUrl(), atClient);
    await answer(browser, 'deny');
    // It is stored a moment later.
    await until(async () => (await logins())[0]?.outcome === 'denied');
    expect((await logins())[0]).toMatchObject({
      outcome: 'denied',
      actor: { type: 'user', id: 'admin@platform.localhost' },
      details: { destination: 'native', error: 'access_denied' },
    });
  });

  it('that is cancelled there brings the client no code', async () => {
    await browser.follow(authorizeUrl(), atClient);
    const done = await answer(browser, 'deny');
    const { searchParams } = new URL(done.headers.get('location') ?? '');
    expect(Object.fromEntries(searchParams)).toMatchObject({ error: 'access_denied', state: 'app-state' });
  });
});
