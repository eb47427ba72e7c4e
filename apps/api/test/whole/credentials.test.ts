import { randomUUID } from 'node:crypto';
import jwt from 'jsonwebtoken';
import request from '../openapi/documented-request.ts';
import { WholeApi } from './whole-api.ts';

const api = new WholeApi();
const projects = '/api/v1/projects';

async function project(name: string, owner = 'owner@example.dev'): Promise<string> {
  await api
    .as('admin', 'post', projects)
    .send({ name, owner: { user: owner } })
    .expect(201);
  return `${projects}/${name}`;
}

async function account(path: string): Promise<{ uid: string; email: string }> {
  const sent = { name: 'bot', issuer_url: 'https://ci.example', claims: { aud: 'platform', sub: 'repo' } };
  return (await api.as('owner', 'post', `${path}/service-accounts`).send(sent).expect(201)).body;
}

/** An access token as the exchange issues it for the account. */
function accessToken({ uid, email }: { uid: string; email: string }, of: string): string {
  const now = Math.floor(Date.now() / 1000);
  const principal = { type: 'service_account', uid, email, project: of };
  const common = { iss: api.publicUrl, aud: api.publicUrl, iat: now, exp: now + 600, jti: randomUUID() };
  const header = { alg: 'HS256', typ: 'platform-access+jwt' };
  const claims = { ...common, sub: `serviceaccount:${email}`, principal };
  return jwt.sign(claims, Buffer.from(api.secret, 'base64'), { algorithm: 'HS256', header });
}

const withToken = (token: string, method: 'get' | 'post', path: string) =>
  request(api.publicUrl)[method](path).set('Authorization', `Bearer ${token}`);

describe('an access token of a service account', () => {
  it('ends with the account', async () => {
    const path = await project('gone-account');
    const token = accessToken(await account(path), 'gone-account');
    await withToken(token, 'get', path).expect(200);
    const made = await withToken(token, 'post', `${path}/deployments`).send({ environment: 'production' });
    expect(made.status).toBe(201);
    const me = () => withToken(token, 'get', '/api/v1/auth/me');
    const check = () =>
      withToken(token, 'post', '/api/v1/access/check').send({
        checks: [{ verb: 'get', path: '/api/v1/resources/platform.dev/v1alpha1/organizations/default' }],
      });
    const review = () =>
      withToken(token, 'post', '/kubernetes/apis/authentication.k8s.io/v1/selfsubjectreviews').send({});
    await review().expect(201);
    await me().expect(200);
    await check().expect(200);
    await api.as('owner', 'delete', `${path}/service-accounts/bot`).expect(200);
    await withToken(token, 'get', path).expect(401);
    await withToken(token, 'post', `${path}/deployments`).send({ environment: 'production' }).expect(401);
    await review().expect(401);
    await me().expect(401);
    await check().expect(401);
  });

  // Attack: a token outlives its project, and the name of the project is given to somebody else.
  it('is worth nothing in a project that has the name of the one it was for', async () => {
    const path = await project('reborn');
    const token = accessToken(await account(path), 'reborn');
    await api.as('owner', 'delete', path).expect(200);
    await withToken(token, 'get', path).expect(401);
    await api.as('admin', 'post', `${projects}?reuse=true`).send({ name: 'reborn' }).expect(201);
    await api
      .as('admin', 'post', `${path}/service-accounts`)
      .send({ name: 'bot', issuer_url: 'https://ci.example', claims: { aud: 'platform', sub: 'repo' } })
      .expect(201);
    await withToken(token, 'get', path).expect(401);
    await withToken(token, 'post', `${path}/deployments`).send({ environment: 'production' }).expect(401);
  });

  it('opens no other project, and hides whether there is one', async () => {
    const token = accessToken(await account(await project('own')), 'own');
    await project('other');
    await withToken(token, 'get', `${projects}/other`).expect(403);
    await withToken(token, 'get', `${projects}/never-made`).expect(403);
  });
});

describe('a bootstrap credential', () => {
  const mint = (credential: string) =>
    withToken(credential, 'post', '/api/v1/identity/token').send({ audience: 'https://cloud.example' });
  const days = 86_400_000;

  it('expires after 90 days unless told, and says who made it and when it was used', async () => {
    const path = `${await project('dated')}/deployments`;
    const { body } = await api.as('owner', 'post', path).send({ environment: 'production' }).expect(201);
    expect(Math.abs(Date.parse(body.expires_at) - (Date.now() + 90 * days))).toBeLessThan(60_000);
    expect(body).toMatchObject({
      created_by: 'owner@example.dev',
      last_used_at: null,
      previous_credential_expires_at: null,
    });
    await mint(body.bootstrap_credential).expect(200);
    const used = await api.as('owner', 'get', `${path}/${body.name}`).expect(200);
    expect(Math.abs(Date.parse(used.body.last_used_at) - Date.now())).toBeLessThan(60_000);
    expect(used.body.revision).toBe(1);
    await mint(body.bootstrap_credential).expect(200);
    const again = await api.as('owner', 'get', `${path}/${body.name}`).expect(200);
    expect(again.body.last_used_at).toBe(used.body.last_used_at);
    await api
      .as('owner', 'put', `${path}/${body.name}`)
      .send({ environment: 'production', expires_at: body.expires_at })
      .expect(200);
  });

  it('is refused from its expiry on', async () => {
    const path = `${await project('short')}/deployments`;
    const sent = { environment: 'production', expires_at: new Date(Date.now() + 30 * days).toISOString() };
    const { body } = await api.as('owner', 'post', path).send(sent).expect(201);
    expect(body.expires_at).toBe(sent.expires_at);
    await mint(body.bootstrap_credential).expect(200);
    await api.database.sql`update deployments set credential_expires_at = now() where uid = ${body.uid}`;
    await mint(body.bootstrap_credential).expect(401);
    const rotate = `${path}/${body.name}/rotate-credential`;
    const yearTenThousand = '9999-12-31T23:59:59-00:01';
    for (const expires_at of [
      '2020-01-01T00:00:00Z',
      'soon',
      5,
      '2999-13-01T00:00:00Z',
      yearTenThousand,
      null,
    ]) {
      for (const [at, more] of [[path, { environment: 'production' }] as const, [rotate, {}] as const]) {
        const refused = await api.as('owner', 'post', at).send({ ...more, expires_at });
        expect([refused.status, refused.body.errors?.map((fault: { path: string }) => fault.path)]).toEqual([
          400,
          ['/expires_at'],
        ]);
      }
    }
  });

  it('has an expiry whose fault is told with the others of its body', async () => {
    const path = `${await project('faulty')}/deployments`;
    const { body } = await api.as('owner', 'post', path).send({ environment: 'production' }).expect(201);
    const expires_at = '2020-01-01T00:00:00Z';
    for (const [at, sent, faulty] of [
      [path, { environment: 'A' }, '/environment'],
      [path, { environment: 'missing' }, '/environment'],
      [`${path}/${body.name}/rotate-credential`, { overlap_seconds: -1 }, '/overlap_seconds'],
    ] as const) {
      const refused = await api
        .as('owner', 'post', at)
        .send({ ...sent, expires_at })
        .expect(400);
      expect(refused.body.errors.map((fault: { path: string }) => fault.path).sort()).toEqual(
        [faulty, '/expires_at'].sort(),
      );
    }
  });

  it('is rotated: the old one stays valid for as long as was asked, an hour unless told', async () => {
    const path = `${await project('rotating')}/deployments`;
    const made = await api.as('owner', 'post', path).send({ environment: 'production' }).expect(201);
    const item = `${path}/${made.body.name}`;
    const rotated = await api.as('owner', 'post', `${item}/rotate-credential`).expect(200);
    expect(rotated.body.revision).toBe(2);
    expect(rotated.headers['cache-control']).toBe('no-store');
    const overlap = Date.parse(rotated.body.previous_credential_expires_at) - Date.now();
    expect(Math.abs(overlap - 3_600_000)).toBeLessThan(60_000);
    await mint(made.body.bootstrap_credential).expect(200);
    expect((await api.as('owner', 'get', item).expect(200)).body.last_used_at).toBeNull();
    await mint(rotated.body.bootstrap_credential).expect(200);
    const { body: last } = await api
      .as('owner', 'post', `${item}/rotate-credential`)
      .send({ overlap_seconds: 0 })
      .expect(200);
    await mint(made.body.bootstrap_credential).expect(401);
    await mint(rotated.body.bootstrap_credential).expect(401);
    await mint(last.bootstrap_credential).expect(200);
    await api.as('stranger', 'post', `${item}/rotate-credential`).expect(403);
    await api.as('owner', 'post', `${item}/rotate-credential`).set('If-Match', '"1"').expect(412);
    for (const overlap_seconds of [-1, 1.5, 604_801, 'x']) {
      await api.as('owner', 'post', `${item}/rotate-credential`).send({ overlap_seconds }).expect(400);
    }
    const { text } = await api.as('owner', 'get', item).expect(200);
    expect(text).not.toContain(last.bootstrap_credential);
  });

  it('of a rotation does not prolong one that expires earlier', async () => {
    const path = `${await project('ending')}/deployments`;
    const expires_at = new Date(Date.now() + 60_000).toISOString();
    const made = await api
      .as('owner', 'post', path)
      .send({ environment: 'production', expires_at })
      .expect(201);
    const rotated = await api.as('owner', 'post', `${path}/${made.body.name}/rotate-credential`).expect(200);
    expect(rotated.body.previous_credential_expires_at).toBe(expires_at);
  });
});

describe('claims of a service account', () => {
  it.each([
    [{ aud: '*', sub: 'repo' }, '/claims/aud'],
    [{ aud: 'platform', sub: '*' }, '/claims'],
    [{ aud: 'platform', sub: '**' }, '/claims'],
    [{ aud: '*' }, '/claims'],
  ])('may not be met by any token: %j', async (claims, at) => {
    const path = `/api/v1/projects/patterns/service-accounts`;
    await api.as('admin', 'post', projects).send({ name: 'patterns' });
    const sent = { name: 'ci', issuer_url: 'https://ci.example', claims };
    const { body } = await api.as('admin', 'post', path).send(sent).expect(400);
    expect(body.errors.map(({ path: fault }: { path: string }) => fault)).toContain(at);
  });
});
