import { WholeApi } from './whole-api.ts';

const api = new WholeApi();
const projects = '/api/v1/projects';

const callerOf = (path: string) => (/audit|resources/.test(path) ? 'operator' : 'admin');
const get = (path: string) => api.as(callerOf(path), 'get', path);

beforeAll(async () => {
  for (const name of ['one', 'two']) {
    await api.as('admin', 'post', projects).send({ name }).expect(201);
    await api.as('admin', 'post', '/api/v1/teams').send({ name }).expect(201);
    await api.as('admin', 'post', `${projects}/${name}/environments`).send({ name: 'staging' }).expect(201);
  }
});

describe('a continue token', () => {
  it.each([
    [`${projects}?`, '/api/v1/teams?'],
    ['/api/v1/teams?', '/api/v1/auth/sessions?'],
    ['/api/v1/teams?', '/api/v1/resources/platform.dev/v1alpha1/roles?'],
    [`${projects}/one/environments?`, `${projects}/two/environments?`],
    [`${projects}/one/environments?`, `${projects}/one/extensions?`],
    ['/api/v1/audit?kind=Project&', '/api/v1/audit?kind=Team&'],
    ['/api/v1/audit?kind=Project&', '/api/v1/audit?'],
    ['/api/v1/audit?project=one&', `${projects}/one/logins?`],
  ])('of %s goes on there, and is refused at %s', async (list, other) => {
    const first = await get(`${list}limit=1`).expect(200);
    const token = first.body.continue;
    const next = await get(`${list}limit=1&continue=${token}`).expect(200);
    expect(next.body.items).toHaveLength(1);
    expect(next.body.items).not.toEqual(first.body.items);
    const refused = await get(`${other}continue=${token}`).expect(400);
    expect(refused.body.code).toBe('invalid_query');
    expect(refused.body.detail).toContain('continue must be the token of the page before');
  });
});
