import { givenProject, projects } from './given-project.ts';
import { WholeApi } from './whole-api.ts';

const api = new WholeApi();

describe('Organizations', () => {
  const resources = '/api/v1/resources/platform.dev/v1alpha1/organizations';
  const create = (name: string, finalizers: string[] = []) =>
    api
      .as('operator', 'post', resources)
      .send({ apiVersion: 'platform.dev/v1alpha1', kind: 'Organization', metadata: { name, finalizers } })
      .expect(201);

  it('cannot go while projects or teams belong to them', async () => {
    await create('acme');
    await api.as('operator', 'post', projects).send({ name: 'acme-shop', organization: 'acme' }).expect(201);
    const refused = await api.as('operator', 'delete', `${resources}/acme`).expect(409);
    expect(refused.body.code).toBe('organization_in_use');
    await api.as('operator', 'delete', `${projects}/acme-shop`).expect(200);
    await api
      .as('operator', 'post', '/api/v1/teams')
      .send({ name: 'acme-crew', organization: 'acme' })
      .expect(201);
    await api.as('operator', 'delete', `${resources}/acme`).expect(409);
    await api.as('operator', 'delete', '/api/v1/teams/acme-crew').expect(200);
    await api.as('operator', 'delete', `${resources}/acme`).expect(200);
  });

  it('take no new projects and teams once they are being deleted', async () => {
    await create('closing', ['example.dev/hold']);
    await api.as('operator', 'delete', `${resources}/closing`).expect(202);
    const refused = await api
      .as('operator', 'post', projects)
      .send({ name: 'late', organization: 'closing' })
      .expect(409);
    expect(refused.body.code).toBe('organization_terminating');
    await api
      .as('operator', 'post', '/api/v1/teams')
      .send({ name: 'late', organization: 'closing' })
      .expect(409);
  });

  it('other than the default one are administered by operators, not by admins', async () => {
    await create('other');
    await api.as('admin', 'post', projects).send({ name: 'in-other', organization: 'other' }).expect(403);
    await api.as('operator', 'post', projects).send({ name: 'in-other', organization: 'other' }).expect(201);
    await api.as('operator', 'post', projects).send({ name: 'in-default' }).expect(403);
  });
});

describe('teams', () => {
  it('are told to be missing together with the Organization', async () => {
    const { body } = await api
      .as('operator', 'post', '/api/v1/projects')
      .send({ name: 'homeless', organization: 'none', owner: { team: 'none' } })
      .expect(400);
    expect(body.errors.map(({ path }: { path: string }) => path)).toEqual(['/organization', '/owner/team']);
  });

  it('own projects, and open them to their people', async () => {
    const members = [
      { email: 'owner@example.dev', role: 'owner' },
      { email: 'Member@example.dev', role: 'member' },
    ];
    const team = await api.as('admin', 'post', '/api/v1/teams').send({ name: 'crew', members }).expect(201);
    expect(team.body.members).toEqual([
      { email: 'member@example.dev', role: 'member' },
      { email: 'owner@example.dev', role: 'owner' },
    ]);
    const path = await givenProject(api, { owner: { team: 'crew' }, members: [] });
    await api.as('member', 'get', path).expect(200);
    expect((await api.as('admin', 'delete', '/api/v1/teams/crew').expect(409)).body.code).toBe('in_use');
    await api
      .as('owner', 'put', '/api/v1/teams/crew')
      .send({ members: [{ email: 'owner@example.dev', role: 'owner' }] })
      .expect(200);
    await api.as('member', 'get', path).expect(403);
    await api.as('member', 'get', '/api/v1/teams/crew').expect(403);
  });

  it('are changed by their owners and read by their members', async () => {
    const members = [{ email: 'member@example.dev', role: 'member' }];
    await api.as('admin', 'post', '/api/v1/teams').send({ name: 'readers', members }).expect(201);
    await api.as('member', 'get', '/api/v1/teams/readers').expect(200);
    await api.as('member', 'put', '/api/v1/teams/readers').send({ members: [] }).expect(403);
    await api.as('stranger', 'get', '/api/v1/teams/readers').expect(403);
    await api.as('stranger', 'post', '/api/v1/teams').send({ name: 'mine' }).expect(403);
    await api.as('admin', 'post', '/api/v1/teams').send({ name: 'readers' }).expect(409);
    await api
      .as('admin', 'post', '/api/v1/teams')
      .send({ name: 'twice', members: [...members, ...members] })
      .expect(400);
    const { body } = await api
      .as('admin', 'post', '/api/v1/teams')
      .send({ name: 'twice', members: [...members, ...members, { email: 'x', role: 'owner' }] })
      .expect(400);
    expect(body.errors.map(({ path }: { path: string }) => path).sort()).toEqual([
      '/members',
      `/members/${2 * members.length}/email`,
    ]);
    expect(
      (await api.as('member', 'get', '/api/v1/teams').expect(200)).body.items.map(
        (t: { name: string }) => t.name,
      ),
    ).toEqual(['readers']);
  });
});
