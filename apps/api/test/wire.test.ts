import { createHmac } from 'node:crypto';
import { once } from 'node:events';
import type { Server } from 'node:http';
import { Writable } from 'node:stream';
import { loadConfig } from '@platform/config';
import { testDatabase } from '@platform/development/testing';
import { createLogger } from '@platform/service-runtime';
import type { Service } from '../src/process/run.ts';
import { createApiServer } from '../src/process/server.ts';
import { wire } from '../src/wire.ts';
import request from './openapi/documented-request.ts';

const publicUrl = 'https://platform.example';
const secret = Buffer.alloc(48, 's');
const organizations = '/api/v1/resources/platform.dev/v1alpha1/organizations';

const lines: string[] = [];
const sink = new Writable({
  write(chunk, _encoding, done) {
    lines.push(
      ...String(chunk)
        .split('\n')
        .filter((line) => line !== ''),
    );
    done();
  },
});

let service: Service;
let server: Server;
afterAll(async () => {
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
  await service.close();
});
const database = testDatabase({ template: 'empty', migrate: async () => {} });

beforeAll(async () => {
  const config = loadConfig({
    cwd: '/nowhere',
    env: {
      PLATFORM__DATABASE__URL: database.url,
      PLATFORM__SERVER__PUBLIC_URL: publicUrl,
      PLATFORM__SERVER__JWT_SIGNING_SECRET: secret.toString('base64'),
      PLATFORM__AUTH__OPERATOR_USERS: '[Ann@Example.dev]',
      PLATFORM__ENCRYPTION__KEYS: `[{id: k, key: ${Buffer.alloc(32).toString('base64')}}]`,
      PLATFORM__DEPLOYMENT_CONTROLLER__CONTROLLER_CLASS_NAME: 'standard',
    },
  });
  service = wire(config, createLogger({ level: 'error', format: 'json', service: 'api', destination: sink }));
  await service.prepare();
  service.state.prepared();
  server = createApiServer(service.app);
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
});

/** A session of the platform, made without its help. */
function session(claims: object, header: object = { alg: 'HS256', typ: 'JWT' }): string {
  const now = Math.floor(Date.now() / 1000);
  const whole = { iss: publicUrl, aud: publicUrl, sub: 'u-1', iat: now, exp: now + 60, ...claims };
  const signed = [header, whole]
    .map((part) => Buffer.from(JSON.stringify(part)).toString('base64url'))
    .join('.');
  return `${signed}.${createHmac('sha256', secret).update(signed).digest('base64url')}`;
}

const get = (path: string) => request(server).get(path);

describe('the wired service', () => {
  it('lets an operator in by the e-mail address of the session, compared without case', async () => {
    const token = session({ email: 'aNN@example.dev' });
    await get(organizations).set('Authorization', `Bearer ${token}`).expect(200);
  });

  it.each([
    ['another audience', { aud: 'https://other.example' }],
    ['another issuer', { iss: 'https://other.example' }],
    ['the past', { exp: 1 }],
    ['no e-mail address', { email: undefined }],
  ])('refuses a session for %s', async (_name, claims) => {
    const token = session({ email: 'ann@example.dev', ...claims });
    await get(organizations).set('Authorization', `Bearer ${token}`).expect(401);
  });

  it('refuses a session that is signed by nobody', async () => {
    const token = session({ email: 'ann@example.dev' }, { alg: 'none' });
    await get(organizations)
      .set('Authorization', `Bearer ${token.slice(0, token.lastIndexOf('.') + 1)}`)
      .expect(401);
  });

  it('refuses other users', async () => {
    await get(organizations)
      .set('Authorization', `Bearer ${session({ email: 'bob@example.dev' })}`)
      .expect(403);
  });

  it('takes the session from the __Host- cookie where cookies are secure', async () => {
    const token = session({ email: 'ann@example.dev' });
    await get(organizations).set('Cookie', `__Host-platform_session=${token}`).expect(200);
    await get(organizations).set('Cookie', `platform_session=${token}`).expect(401);
  });

  it('has bootstrapped the default Organization, with the class of its controller', async () => {
    const token = session({ email: 'ann@example.dev' });
    const { body } = await get(`${organizations}/default`)
      .set('Authorization', `Bearer ${token}`)
      .expect(200);
    expect(body).toMatchObject({
      metadata: { name: 'default' },
      spec: { deploymentControllerClass: 'standard' },
    });
  });

  it('is ready, and tells its pool in the metrics', async () => {
    await get('/readyz').expect(200);
    expect((await get('/metrics').expect(200)).text).toContain(
      'platform_api_database_connections{state="max"} 10',
    );
  });

  it('writes audit records in the documented form', async () => {
    const token = session({ email: 'ann@example.dev' });
    await get('/api/v1/resources/pending-deletion')
      .set({ Authorization: `Bearer ${token}`, 'X-Request-Id': 'q-1' })
      .expect(200);
    await new Promise((resolve) => setImmediate(() => setImmediate(resolve)));
    const record = lines.map((line) => JSON.parse(line)).find(({ requestId }) => requestId === 'q-1');
    expect(record).toEqual({
      timestamp: expect.stringMatching(/^\d{4}-.*Z$/),
      level: 'info',
      target: 'platform::audit',
      message: 'resource.pending_deletion_listed',
      requestId: 'q-1',
      actor: { type: 'operator', id: 'ann@example.dev' },
      count: 0,
    });
  });

  it('prepares again without harm, as every replica does', async () => {
    await service.prepare();
  });
});
