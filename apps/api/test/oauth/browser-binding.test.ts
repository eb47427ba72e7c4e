import { documentedFetch } from '../openapi/documented-fetch.ts';
import { startPlatform, type TestApp, type TestPlatform } from './platform.ts';
import { ScriptedProvider } from './scripted-provider.ts';

let provider: ScriptedProvider;
let platform: TestPlatform;
let app: TestApp;

beforeAll(async () => {
  provider = await new ScriptedProvider().start();
  platform = await startPlatform({ upstreams: [provider.issuer] });
  app = platform.extend({ project: 'shop', extension: 'login' }, {});
});
afterAll(async () => {
  await platform.close();
  await provider.stop();
});

const begin = () => documentedFetch(`${app.issuer}/authorize`, { redirect: 'manual' });
const stateOf = (begun: Response) =>
  new URL(begun.headers.get('location') ?? '').searchParams.get('state') ?? '';

/** The way back from a provider that the user refused: no token request follows. */
function comeBack(state: string, headers: Record<string, string>): Promise<Response> {
  const query = new URLSearchParams({ error: 'access_denied', state });
  return documentedFetch(`${app.issuer}/callback?${query}`, { redirect: 'manual', headers });
}

it('sets a cookie for the browser that begins, which no script and no other site gets', async () => {
  const [cookie = ''] = (await begin()).headers.getSetCookie();
  expect(cookie).toMatch(/^platform_oidc=[\w-]{43}; Path=\/; Max-Age=600; HttpOnly; SameSite=Lax$/);
});

it('names the cookie __Host- where the platform is https', async () => {
  const secure = await startPlatform({
    upstreams: [provider.issuer],
    publicUrl: 'https://platform.example.com',
  });
  secure.extend({ project: 'shop', extension: 'login' }, {});
  const begun = await fetch(`${secure.own}/oidc/shop/login/authorize`, { redirect: 'manual' });
  expect(begun.headers.getSetCookie()[0]).toMatch(
    /^__Host-platform_oidc=[\w-]{43}; Path=\/; .*SameSite=Lax; Secure$/,
  );
  await secure.close();
});

it.each([undefined, `platform_oidc=${'x'.repeat(43)}`])(
  'refuses another browser that opens the page with the cookie %j, and does not redirect it',
  async (cookie) => {
    const headers = { 'Sec-Fetch-Dest': 'document', ...(cookie && { Cookie: cookie }) };
    const refused = await comeBack(stateOf(await begin()), headers);
    expect(refused.status).toBe(400);
    expect(refused.headers.get('location')).toBeNull();
  },
);

it('lets the same browser in, and what does not say that it opens a page', async () => {
  const begun = await begin();
  const cookie = begun.headers.getSetCookie()[0]?.split(';')[0] ?? '';
  const same = await comeBack(stateOf(begun), { 'Sec-Fetch-Dest': 'document', Cookie: cookie });
  expect(same.status).toBe(302);
  expect((await comeBack(stateOf(await begin()), {})).status).toBe(302);
  expect((await comeBack(stateOf(await begin()), { 'Sec-Fetch-Dest': 'iframe' })).status).toBe(302);
});
