import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { freePort } from '@platform/testkit';
import { createRemoteJWKSet, jwtVerify } from 'jose';
import { type Nginx, nginxVersion, startNginx } from './nginx.ts';
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
      .send({ name: 'closed', url: 'https://closed.example', members: ['member@example.dev'] })
      .expect(201);
    // The configuration that docs/ingress.md shows, with the addresses of this test.
    nginx = await startNginx(
      `server {
        listen 127.0.0.1:${sitePort};
        location = /_up { return 204; }
        location = /_platform_auth {
          internal;
          proxy_pass ${api.publicUrl.replace('localhost', '127.0.0.1')}/api/v1/auth/ingress?project=closed;
          proxy_pass_request_body off;
          proxy_set_header Content-Length "";
        }
        location / {
          auth_request /_platform_auth;
          auth_request_set $platform_user $upstream_http_x_auth_request_email;
          auth_request_set $platform_token $upstream_http_x_auth_request_access_token;
          proxy_set_header X-Forwarded-User $platform_user;
          proxy_set_header Authorization "Bearer $platform_token";
          proxy_pass http://127.0.0.1:${appPort};
        }
      }`,
      async () => (await fetch(`${site}/_up`)).status === 204,
    );
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
      audience: 'https://closed.example',
    });
    expect(payload).toMatchObject({ email: 'member@example.dev', token_use: 'ingress' });
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
});

async function listen(server: Server): Promise<number> {
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return (server.address() as AddressInfo).port;
}
