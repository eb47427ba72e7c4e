import { decodeJwt, decodeProtectedHeader } from 'jose';
import request from '../openapi/documented-request.ts';
import { ExternalIssuer } from './external-issuer.ts';
import { WholeApi } from './whole-api.ts';

const issuer = new ExternalIssuer();
const controller = 'ctrl.example.com';
const api = new WholeApi(async () => {
  await issuer.start();
  return {
    auth: {
      operator_users: ['operator@example.dev'],
      admin_users: ['admin@example.dev'],
      controllers: [
        { id: controller, issuer: issuer.url, claims: { aud: 'platform', sub: 'ctrl-*' } },
        { id: `${controller}/sub`, issuer: issuer.url, claims: { aud: 'platform-sub', sub: 'ctrl-*' } },
        { id: 'twin.example.com', issuer: issuer.url, claims: { aud: 'platform-t*' } },
        { id: 'twin2.example.com', issuer: issuer.url, claims: { aud: '*-twin' } },
      ],
    },
    outbound: { allow_insecure_origins: [issuer.url] },
  };
});
afterAll(() => issuer.close());

const resources = '/api/v1/resources';
const widgets = `${resources}/shop.example/v1/widgets`;
const bearer = (token: string, method: 'get' | 'post' | 'put' | 'delete', path: string) =>
  request(api.publicUrl)[method](path).set('Authorization', `Bearer ${token}`);
const exchange = (fields: object) =>
  request(api.publicUrl)
    .post('/api/v1/auth/token')
    .send({
      grant_type: 'urn:ietf:params:oauth:grant-type:token-exchange',
      subject_token_type: 'urn:ietf:params:oauth:token-type:jwt',
      ...fields,
    });

beforeAll(async () => {
  const spec = {
    group: 'shop.example',
    kind: 'Widget',
    plural: 'widgets',
    versions: [{ name: 'v1', served: true, storage: true }],
    allowedStatusControllerIds: [controller],
  };
  const definition = {
    apiVersion: 'platform.dev/v1alpha1',
    kind: 'ResourceDefinition',
    metadata: { name: 'widgets.shop.example' },
    spec,
  };
  await api
    .as('operator', 'post', `${resources}/platform.dev/v1alpha1/resourcedefinitions`)
    .send(definition)
    .expect(201);
  await api
    .as('operator', 'post', widgets)
    .send({ apiVersion: 'shop.example/v1', kind: 'Widget', metadata: { name: 'w1' } })
    .expect(201);
  for (const name of ['shop', 'other'])
    await api.as('admin', 'post', '/api/v1/projects').send({ name }).expect(201);
  for (const project of ['shop', 'other']) {
    await api
      .as('admin', 'post', `/api/v1/projects/${project}/service-accounts`)
      .send({ name: 'ci', issuer_url: issuer.url, claims: { aud: `${project}-ci`, sub: 'repo:*:main' } })
      .expect(201);
  }
});

describe('a controller', () => {
  it('writes its own status slot and finalizers by its own token, and nothing else', async () => {
    const token = await issuer.token({ aud: 'platform', sub: 'ctrl-1' });
    const { body } = await bearer(token, 'put', `${widgets}/w1/status`)
      .send({ status: { phase: 'Ready' } })
      .expect(200);
    expect(body.status.controllers).toEqual({ [controller]: { phase: 'Ready' } });
    await bearer(token, 'put', `${widgets}/w1/finalizers`)
      .send({ add: [`${controller}/cleanup`] })
      .expect(200);
    await bearer(token, 'put', `${widgets}/w1/finalizers`)
      .send({ remove: [`${controller}/cleanup`] })
      .expect(200);
    await bearer(token, 'put', `${widgets}/w1/finalizers`)
      .send({ add: ['foreign/x'] })
      .expect(403);
    await bearer(token, 'put', `${widgets}/w1/finalizers`)
      .send({ add: [`${controller}/sub/x`] })
      .expect(403);
    for (const [method, path] of [
      ['get', widgets],
      ['get', `${widgets}/w1`],
      ['delete', `${widgets}/w1`],
      ['put', `${widgets}/w1`],
      ['put', `${widgets}/never-made/status`],
      ['get', `${resources}/pending-deletion`],
    ] as const) {
      const { status } = await bearer(token, method, path).send({ status: 1 });
      expect([method, path, status]).toEqual([method, path, path.includes('never-made') ? 404 : 403]);
    }
  });

  it('that the allowlist does not name is refused, whether or not the row exists', async () => {
    const token = await issuer.token({ aud: 'platform-sub', sub: 'ctrl-1' });
    await bearer(token, 'put', `${widgets}/w1/status`).send({ status: 1 }).expect(403);
    await bearer(token, 'put', `${widgets}/never-made/status`).send({ status: 1 }).expect(403);
  });

  it('can exchange its token for an access token that does the same', async () => {
    const { body, headers } = await exchange({
      subject_token: await issuer.token({ aud: 'platform', sub: 'ctrl-1' }),
    }).expect(200);
    expect(body).toMatchObject({
      token_type: 'Bearer',
      issued_token_type: 'urn:ietf:params:oauth:token-type:jwt',
      expires_in: 600,
    });
    expect(headers['cache-control']).toBe('no-store');
    expect(decodeProtectedHeader(body.access_token)).toMatchObject({
      alg: 'HS256',
      typ: 'platform-access+jwt',
    });
    expect(decodeJwt(body.access_token)).toMatchObject({
      sub: `controller:${controller}`,
      principal: { type: 'controller', id: controller },
    });
    await bearer(body.access_token, 'put', `${widgets}/w1/status`).send({ status: 2 }).expect(200);
    const { body: me } = await bearer(body.access_token, 'get', '/api/v1/auth/me').expect(200);
    expect(me).toMatchObject({ type: 'controller', id: controller });
  });

  it('is nobody when two entries match', async () => {
    const token = await issuer.token({ aud: 'platform-twin' });
    await bearer(token, 'put', `${widgets}/w1/status`).send({ status: 1 }).expect(401);
    expect((await exchange({ subject_token: token }).expect(400)).body.error).toBe('invalid_grant');
  });

  it('is followed through a rotation of its issuer’s keys', async () => {
    await issuer.rotate();
    const token = await issuer.token({ aud: 'platform', sub: 'ctrl-1' });
    await bearer(token, 'put', `${widgets}/w1/status`).send({ status: 3 }).expect(200);
  });

  it.each([
    ['another audience', { aud: 'other', sub: 'ctrl-1' }],
    ['another subject', { aud: 'platform', sub: 'xctrl-1' }],
    ['an expired token', { aud: 'platform', sub: 'ctrl-1', exp: 1_700_000_000 }],
    ['another issuer', { aud: 'platform', sub: 'ctrl-1', iss: 'https://unknown.example' }],
  ])('is refused with %s', async (_, claims) => {
    await bearer(await issuer.token(claims), 'put', `${widgets}/w1/status`)
      .send({ status: 1 })
      .expect(401);
  });
});

describe('a service account', () => {
  const token = (project = 'shop') => issuer.token({ aud: `${project}-ci`, sub: 'repo:a:main' });
  const identity = 'shop+ci@sa.platform.local';
  const access = async () =>
    (await exchange({ subject_token: await token(), identity }).expect(200)).body.access_token as string;

  it('exchanges its token, and reads its project, environments and extensions, and creates deployments', async () => {
    const exchanged = await access();
    expect(decodeJwt(exchanged)).toMatchObject({
      sub: `serviceaccount:${identity}`,
      principal: { type: 'service_account', email: identity, project: 'shop' },
    });
    for (const path of ['', '/environments', '/extensions'])
      await bearer(exchanged, 'get', `/api/v1/projects/shop${path}`).expect(200);
    await bearer(exchanged, 'post', '/api/v1/projects/shop/deployments')
      .send({ environment: 'production' })
      .expect(201);
  });

  it('does nothing else there, and nothing at all in another project', async () => {
    const exchanged = await access();
    for (const [method, path] of [
      ['put', '/api/v1/projects/shop'],
      ['delete', '/api/v1/projects/shop'],
      ['get', '/api/v1/projects/shop/service-accounts'],
      ['get', '/api/v1/projects/shop/deployments'],
      ['post', '/api/v1/projects/shop/environments'],
      ['get', '/api/v1/projects/other'],
      ['post', '/api/v1/projects/other/deployments'],
      ['get', '/api/v1/projects'],
      ['post', '/api/v1/encrypt'],
      ['get', '/api/v1/auth/ingress?project=shop'],
    ] as const) {
      const { status } = await bearer(exchanged, method, path).send({ name: 'x', environment: 'production' });
      expect([method, path, status]).toEqual([method, path, 403]);
    }
  });

  it('is one 403 at the generic API, whatever the path', async () => {
    const exchanged = await access();
    const bodies = await Promise.all(
      [widgets, `${resources}/no.such/v1/things`, `${resources}/%zz`].map((path) =>
        bearer(exchanged, 'get', path).expect(403),
      ),
    );
    const neutral = bodies.map(({ body: { instance: _path, requestId: _id, ...rest } }) =>
      JSON.stringify(rest),
    );
    expect(new Set(neutral).size).toBe(1);
  });

  it('may present its own token at its project while that is allowed, with one deprecation event a request', async () => {
    const before = api.log.split('raw_external_token').length;
    const raw = await token();
    await bearer(raw, 'get', '/api/v1/projects/shop').expect(200);
    const events = api.log
      .split('\n')
      .filter((line) => line.includes('"platform::deprecation"'))
      .map((line) => JSON.parse(line));
    expect(events.at(-1)).toMatchObject({
      target: 'platform::deprecation',
      metric: 'raw_external_token',
      issuer: issuer.url,
      subject: 'repo:a:main',
      audience: 'shop-ci',
    });
    expect(api.log.split('raw_external_token').length).toBeGreaterThan(before);
    await bearer(raw, 'get', '/api/v1/projects/other').expect(401);
    await bearer(raw, 'get', widgets).expect(401);
    await bearer(raw, 'get', '/api/v1/auth/me').expect(401);
  });

  it('gets one and the same answer for every failure that depends on who it is', async () => {
    const subject = await token();
    const answers = await Promise.all([
      exchange({ subject_token: subject, identity: 'nobody+ci@sa.platform.local' }),
      exchange({ subject_token: subject, identity: 'admin@example.dev' }),
      exchange({ subject_token: subject, identity: 'other+ci@sa.platform.local' }),
      exchange({ subject_token: await issuer.token({ aud: 'shop-ci', sub: 'repo:a:dev' }), identity }),
      exchange({
        subject_token: await issuer.token({
          aud: 'shop-ci',
          sub: 'repo:a:main',
          iss: 'https://unknown.example',
        }),
        identity,
      }),
      exchange({ subject_token: `${subject}x`, identity }),
      exchange({ subject_token: subject }),
      exchange({ subject_token: 'no jwt', identity }),
    ]);
    expect(new Set(answers.map(({ status, text }) => `${status} ${text}`)).size).toBe(1);
    expect(answers[0]?.body.error).toBe('invalid_grant');
  });

  it('ends with its entry', async () => {
    await api.as('admin', 'delete', '/api/v1/projects/other/service-accounts/ci').expect(200);
    const answer = await exchange({
      subject_token: await token('other'),
      identity: 'other+ci@sa.platform.local',
    }).expect(400);
    expect(answer.body.error).toBe('invalid_grant');
  });
});
