import { WholeApi } from './whole-api.ts';

const api = new WholeApi();
const admin = (method: 'get' | 'post' | 'put' | 'delete', path: string) => api.as('admin', method, path);
const account = (sub: string) => ({
  name: 'ci',
  issuer_url: 'https://ci.example',
  claims: { aud: 'platform', sub },
});

beforeAll(async () => {
  await admin('post', '/api/v1/projects').send({ name: 'shop' }).expect(201);
  await admin('post', '/api/v1/projects/shop/service-accounts').send(account('repo:acme/*')).expect(201);
});

describe('dryRun=true on typed resources', () => {
  it('answers a create as it would be answered, says so, and creates nothing', async () => {
    const answer = await admin('post', '/api/v1/projects?dryRun=true').send({ name: 'blog' }).expect(201);
    expect(answer.body).toMatchObject({ name: 'blog', owner: { user: 'admin@example.dev' }, revision: 1 });
    expect(answer.headers['x-dry-run']).toBe('true');
    await admin('get', '/api/v1/projects/blog').expect(404);
    await admin('post', '/api/v1/teams?dryRun=true').send({ name: 'core' }).expect(201);
    await admin('get', '/api/v1/teams/core').expect(404);
  });

  it('refuses what the request would be refused for, with the header', async () => {
    const taken = await admin('post', '/api/v1/projects?dryRun=true').send({ name: 'shop' }).expect(409);
    expect([taken.body.code, taken.headers['x-dry-run']]).toEqual(['already_exists', 'true']);
    const path = '/api/v1/projects/shop/service-accounts/ci?dryRun=true';
    expect(
      (
        await admin('put', path)
          .send({ ...account('x'), claims: {} })
          .expect(400)
      ).body.code,
    ).toBe('validation_failed');
    await admin('put', path).set('If-Match', '"7"').send(account('x')).expect(412);
    await api.as('stranger', 'post', '/api/v1/projects?dryRun=true').send({ name: 'blog' }).expect(403);
  });

  it('answers a replacement with the revision that it would have, and keeps the stored one', async () => {
    const path = '/api/v1/projects/shop/service-accounts/ci';
    const changed = await admin('put', `${path}?dryRun=true`).send(account('repo:acme/shop')).expect(200);
    expect(changed.body).toMatchObject({ revision: 2, claims: { sub: 'repo:acme/shop' } });
    expect((await admin('get', path).expect(200)).body).toMatchObject({
      revision: 1,
      claims: { sub: 'repo:acme/*' },
    });
    const same = await admin('put', `${path}?dryRun=true`).send(account('repo:acme/*')).expect(200);
    expect(same.body.revision).toBe(1);
  });

  it('deletes nothing', async () => {
    await admin('delete', '/api/v1/projects/shop?dryRun=true').expect(200);
    await admin('get', '/api/v1/projects/shop').expect(200);
  });

  it('shows no credential that would never be valid', async () => {
    const path = '/api/v1/projects/shop/deployments';
    const { body } = await admin('post', `${path}?dryRun=true`)
      .send({ environment: 'production' })
      .expect(201);
    expect(body).toMatchObject({ environment: 'production' });
    expect(body).not.toHaveProperty('bootstrap_credential');
    expect((await admin('get', path).expect(200)).body.items).toEqual([]);
  });

  it('stores one audit record with details.dryRun', async () => {
    await admin('delete', '/api/v1/projects/shop?dryRun=true').expect(200);
    const { body } = await api
      .as('operator', 'get', '/api/v1/audit?action=project.deleted&project=shop&limit=1')
      .expect(200);
    expect(body.items[0]).toMatchObject({ action: 'project.deleted', details: { dryRun: true } });
  });

  it('refuses other values, and the parameter where there is no dry run', async () => {
    expect(
      (await admin('post', '/api/v1/teams?dryRun=yes').send({ name: 'core' }).expect(400)).body.code,
    ).toBe('invalid_query');
    await admin('get', '/api/v1/teams?dryRun=true').expect(400);
  });
});
