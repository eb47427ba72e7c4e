import { givenProject, nameIn } from './given-project.ts';
import { WholeApi } from './whole-api.ts';

const api = new WholeApi();

describe('what is below projects', () => {
  it('environments: keep those that deployments run in', async () => {
    const path = await givenProject(api);
    await api.as('owner', 'post', `${path}/environments`).send({ name: 'staging' }).expect(201);
    await api.as('owner', 'post', `${path}/environments`).send({ name: 'staging' }).expect(409);
    await api.as('owner', 'post', `${path}/environments`).send({ name: 'Staging' }).expect(400);
    await api.as('owner', 'put', `${path}/environments/staging`).send({ name: 'staging' }).expect(200);
    await api.as('owner', 'put', `${path}/environments/staging`).send({ name: 'renamed' }).expect(400);
    const { body } = await api
      .as('owner', 'post', `${path}/deployments`)
      .send({ environment: 'staging' })
      .expect(201);
    expect((await api.as('owner', 'delete', `${path}/environments/staging`).expect(409)).body.code).toBe(
      'in_use',
    );
    await api.as('owner', 'delete', `${path}/deployments/${body.name}`).expect(200);
    await api.as('owner', 'delete', `${path}/environments/staging`).expect(200);
    await api.as('owner', 'get', `${path}/environments/staging`).expect(404);
    await api.as('stranger', 'get', `${path}/environments`).expect(403);
  });

  it('service accounts: an HTTPS issuer, aud and one more claim', async () => {
    const project = await givenProject(api);
    const path = `${project}/service-accounts`;
    const account = {
      name: 'ci',
      issuer_url: 'https://ci.example',
      claims: { aud: 'platform', sub: 'repo:*' },
    };
    const { body } = await api.as('owner', 'post', path).send(account).expect(201);
    expect(body).toMatchObject({ ...account, email: `${nameIn(project)}+ci@sa.platform.local` });
    const refused = await api
      .as('owner', 'post', path)
      .send({ ...account, issuer_url: 'http://ci.example', claims: { aud: 'x' } })
      .expect(400);
    expect(refused.body.errors.map(({ path: at }: { path: string }) => at).sort()).toEqual([
      '/claims',
      '/issuer_url',
    ]);
    const { body: allWrong } = await api
      .as('owner', 'post', path)
      .send({ name: 'C I', issuer_url: 'http://ci.example', claims: {}, more: 1 })
      .expect(400);
    expect(allWrong.errors.map(({ path: at }: { path: string }) => at).sort()).toEqual([
      '/claims',
      '/claims/aud',
      '/issuer_url',
      '/more',
      '/name',
    ]);
    for (const claims of [
      { aud: '*', sub: 'x' },
      { aud: 'platform', sub: '*' },
    ]) {
      const { body: everything } = await api
        .as('owner', 'post', path)
        .send({ ...account, name: 'any', claims })
        .expect(400);
      expect(everything.errors[0].message).toContain('must');
      await api
        .as('owner', 'put', `${path}/ci`)
        .send({ ...account, claims })
        .expect(400);
    }
    const changed = { ...account, claims: { aud: 'platform', sub: 'exact' } };
    expect((await api.as('owner', 'put', `${path}/ci`).send(changed).expect(200)).body.claims).toEqual(
      changed.claims,
    );
    await api.as('owner', 'delete', `${path}/ci`).expect(200);
  });

  it('deployments: show their credential once', async () => {
    const path = `${await givenProject(api)}/deployments`;
    const made = await api.as('owner', 'post', path).send({ environment: 'production' }).expect(201);
    expect(made.body.bootstrap_credential).toMatch(/^[\w-]{43}$/);
    expect(made.headers['cache-control']).toBe('no-store');
    const again = await api.as('owner', 'get', `${path}/${made.body.name}`).expect(200);
    expect(again.text).not.toContain(made.body.bootstrap_credential);
    expect(again.body).not.toHaveProperty('bootstrap_credential');
    await api.as('owner', 'post', path).send({ environment: 'nowhere' }).expect(400);
    const stored = await api.database.sql`select * from deployments`;
    expect(JSON.stringify(stored)).not.toContain(made.body.bootstrap_credential);
  });
});
