import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { freePort } from '@platform/development/testing';
import { createRemoteJWKSet, jwtVerify } from 'jose';
import { documentedNginx, type Nginx, nginxVersion, startNginx } from './nginx.ts';
import { WholeApi } from './whole-api.ts';

const api = new WholeApi();
const ifInstalled = nginxVersion === null ? describe.skip : describe;

ifInstalled('a private project behind nginx auth_request (skipped where nginx is not installed)', () => {
  let app: Server;
  let nginx: Nginx;
  let site: string;
  let seen: IncomingHttpHeaders[] = [];

  beforeAll(async () => {
    app = createServer((request, response) => {
      seen.push(request.headers);
      response.end('the app');
    });
    const [appPort, sitePort] = [await listen(app), await freePort()];
    site = `http://127.0.0.1:${sitePort}`;
    await api
      .as('admin', 'post', '/api/v1/projects')
      .send({ name: 'shop', url: 'https://shop.example.com', members: ['member@example.dev'] })
      .expect(201);
    const addresses = { site: new URL(site).host, platform: new URL(api.publicUrl).port, app: appPort };
    nginx = await startNginx(documentedNginx(addresses), async () => (await fetch(site)).status === 401);
  });
  afterAll(async () => {
    await nginx?.stop();
    app?.close();
  });
  beforeEach(() => {
    seen = [];
  });

  const open = (headers: Record<string, string>) => fetch(`${site}/page`, { headers });

  it('opens for a member, and hands the app an ingress token that it can verify by itself', async () => {
    const answer = await open({ cookie: `platform_session=${api.session('member')}` });
    expect([answer.status, await answer.text()]).toEqual([200, 'the app']);
    expect(seen[0]?.['x-forwarded-user']).toBe('member@example.dev');
    const token = seen[0]?.authorization?.slice('Bearer '.length) ?? '';
    const keys = createRemoteJWKSet(new URL(`${api.publicUrl}/api/v1/auth/jwks`));
    const { payload } = await jwtVerify(token, keys, {
      issuer: api.publicUrl,
      audience: 'https://shop.example.com',
    });
    expect(payload).toMatchObject({ email: 'member@example.dev', project: 'shop', token_use: 'ingress' });
  });

  it('stays closed without a session (401) and for strangers (403): the app sees nothing', async () => {
    expect((await open({})).status).toBe(401);
    expect((await open({ cookie: `platform_session=${api.session('stranger')}` })).status).toBe(403);
    expect((await open({ 'x-auth-request-user': 'admin', 'x-forwarded-user': 'admin' })).status).toBe(401);
    expect(seen).toEqual([]);
  });

  it('does not let a client choose what the app is told', async () => {
    await open({
      cookie: `platform_session=${api.session('member')}`,
      'x-forwarded-user': 'admin@example.dev',
    });
    expect(seen[0]?.['x-forwarded-user']).toBe('member@example.dev');
  });

  // Attack: an app keeps its visitors' cookies, and with them everything that they may do on the platform.
  it.each([
    ['alone', 'platform_session=T', ''],
    ['in front', 'platform_session=T; theme=dark', 'theme=dark'],
    ['at the end', 'theme=dark; __Host-platform_session=T', 'theme=dark'],
    ['between others', 'a=1; __Host-platform_login=x; b=2; platform_login=y; c=3', 'a=1; b=2; c=3'],
    ['of OAuth flows', 'platform_oidc=x; a=1; __Host-platform_oidc=y', 'a=1'],
    ['several times', 'platform_session=T; platform_session=x; a=1; platform_session=T', 'a=1'],
    ['in another case', 'Platform_Session=T; __host-platform_session=T; a=1', 'a=1'],
    ['under other names of the platform', '__Host-platform_ingress=x; a=1; platform_ingress_login=y', 'a=1'],
    ['more often than a browser would', `${'platform_session=T; '.repeat(9)}a=1`, ''],
    [
      'next to a name that only looks alike',
      'my_platform_session=1; platforms=2',
      'my_platform_session=1; platforms=2',
    ],
  ])('takes the cookies of the platform out of what the app sees: %s', async (_, sent, passed) => {
    const token = api.session('member');
    const headers = { authorization: `Bearer ${token}`, cookie: sent.replaceAll('=T', `=${token}`) };
    expect((await open(headers)).status).toBe(200);
    expect((seen[0]?.cookie ?? '').replace(/;\s*$/, '')).toBe(passed);
    expect(JSON.stringify(seen[0]).includes(token)).toBe(false);
  });
});

async function listen(server: Server): Promise<number> {
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return (server.address() as AddressInfo).port;
}
