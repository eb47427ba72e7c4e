import { documentedFetch } from '../openapi/documented-fetch.ts';
import { startPlatform, type TestApp, type TestPlatform } from './platform.ts';
import { ScriptedProvider } from './scripted-provider.ts';

let provider: ScriptedProvider;
let platform: TestPlatform;
let extension: TestApp;

beforeAll(async () => {
  provider = await new ScriptedProvider().start();
});
beforeEach(async () => {
  platform = await startPlatform({ upstreams: [provider.issuer], perMinute: 20 });
  extension = platform.extend(
    { project: 'shop', extension: 'login' },
    {},
    { customDomains: ['https://app.example.com'] },
  );
});
afterEach(() => platform.close());
afterAll(() => provider.stop());

const endpoints = ['token', 'userinfo', 'revoke', 'jwks', '.well-known/openid-configuration'];
const ask = (path: string, headers: Record<string, string>, method = 'GET') =>
  documentedFetch(`${extension.issuer}/${path}`, { method, headers });

describe('CORS', () => {
  it.each(endpoints)('answers the preflight of %s for the app’s origins, and no others', async (path) => {
    for (const origin of ['http://shop.localhost:3000', 'https://app.example.com', 'http://localhost:5173']) {
      const response = await ask(path, { Origin: origin, 'Access-Control-Request-Method': 'GET' }, 'OPTIONS');
      expect(response.status).toBe(204);
      expect(response.headers.get('access-control-allow-origin')).toBe(origin);
      expect(response.headers.get('vary')).toBe('Origin');
    }
    const refused = await ask(path, { Origin: 'https://app.example.com.evil.example' }, 'OPTIONS');
    expect(refused.headers.get('vary')).toBe('Origin');
    expect([...refused.headers.keys()].filter((name) => name.startsWith('access-control'))).toEqual([]);
  });

  it.each([
    ['token', 'POST', 400],
    ['userinfo', 'GET', 401],
    ['jwks', 'GET', 200],
    ['.well-known/openid-configuration', 'GET', 200],
  ])('lets the app’s pages read what %s answers, refusals included', async (path, method, status) => {
    const response = await ask(path, { Origin: 'https://app.example.com' }, method);
    expect(response.status).toBe(status);
    expect(response.headers.get('access-control-allow-origin')).toBe('https://app.example.com');
    const other = await ask(path, { Origin: 'https://evil.example' }, method);
    expect(other.headers.get('access-control-allow-origin')).toBeNull();
    expect(other.headers.get('vary')).toBe('Origin');
  });

  it('is not for the endpoints that browsers go to themselves', async () => {
    const response = await ask('authorize', { Origin: 'https://app.example.com' });
    expect(response.headers.get('access-control-allow-origin')).toBeNull();
  });

  it('serves discovery also where RFC 8414 looks for it', async () => {
    const url = `${platform.publicUrl}/.well-known/oauth-authorization-server/oidc/shop/login`;
    const response = await documentedFetch(url, { headers: { Origin: 'https://app.example.com' } });
    expect(response.headers.get('access-control-allow-origin')).toBe('https://app.example.com');
    expect(((await response.json()) as { issuer: string }).issuer).toBe(extension.issuer);
  });
});

describe('the rate limit', () => {
  const from = (address: string, name = 'login') =>
    documentedFetch(`${platform.publicUrl}/oidc/shop/${name}/jwks`, {
      headers: { 'X-Forwarded-For': address },
    });

  it('holds for one caller at one extension, and says when to come back', async () => {
    platform.extend({ project: 'shop', extension: 'other' }, {});
    for (let request = 0; request < 20; request += 1) expect((await from('192.0.2.1')).status).toBe(200);
    const refused = await from('192.0.2.1');
    expect(refused.status).toBe(429);
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0);
    expect(await refused.json()).toMatchObject({ error: 'temporarily_unavailable' });
    expect((await from('192.0.2.2')).status).toBe(200);
    expect((await from('192.0.2.1', 'other')).status).toBe(200);
    const page = (method: string) =>
      ask('jwks', { Origin: 'https://app.example.com', 'X-Forwarded-For': '192.0.2.1' }, method);
    const read = await page('GET');
    expect(read.status).toBe(429);
    expect(read.headers.get('access-control-allow-origin')).toBe('https://app.example.com');
    expect(read.headers.get('access-control-expose-headers')).toContain('Retry-After');
    expect(read.headers.get('vary')).toBe('Origin');
    expect((await page('OPTIONS')).status).toBe(204);
    platform.shared.clock.shiftMs += 60_000;
    expect((await from('192.0.2.1')).status).toBe(200);
  });
});
