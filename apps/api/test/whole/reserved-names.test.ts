import { WholeApi } from './whole-api.ts';

const api = new WholeApi();
const projects = '/api/v1/projects';

describe('the name of a deleted project', () => {
  // Attack: cloud roles that trust `platform:proj:ci:env:production` meet the project of somebody else.
  it('stays reserved, but for an admin who says so', async () => {
    const create = (query: string) => api.as('admin', 'post', `${projects}${query}`).send({ name: 'ci' });
    await create('').expect(201);
    await api.as('admin', 'delete', `${projects}/ci`).expect(200);
    for (const query of ['', '?reuse=false']) {
      const { body } = await create(query).expect(409);
      expect(body).toMatchObject({
        code: 'already_exists',
        detail: expect.stringContaining('reserved until'),
      });
    }
    await create('?reuse=yes').expect(400);
    await create('?reuse=true&reuse=true').expect(400);
    await api.as('stranger', 'post', `${projects}?reuse=true`).send({ name: 'ci' }).expect(403);
    await api.as('admin', 'get', `${projects}/ci`).expect(404);
    await create('?reuse=true').expect(201);
    await create('?reuse=true').expect(409);
  });

  it('is free again after the quarantine', async () => {
    const create = () => api.as('admin', 'post', projects).send({ name: 'later' });
    await create().expect(201);
    await api.as('admin', 'delete', `${projects}/later`).expect(200);
    const age = (days: number) =>
      api.database
        .sql`update reserved_project_names set deleted_at = now() - ${days} * interval '1 day' where name = 'later'`;
    await age(29.9);
    await create().expect(409);
    await age(30.1);
    await create().expect(201);
  });
});
