import { givenProject } from './given-project.ts';
import { WholeApi } from './whole-api.ts';

const api = new WholeApi();

const spec = { provider_name: 'Example', client_id: 'upstream-id', issuer_url: 'https://idp.example' };
const account = { issuer_url: 'https://ci.example', claims: { aud: 'platform', sub: 'repo:*' } };

/** A resource of a kind: who may change it, and the smallest body of a PUT that is valid. */
interface Given {
  readonly as: 'owner' | 'admin';
  readonly path: string;
  readonly smallest: object;
}

const kinds: Readonly<Record<string, (project: string) => Promise<Given>>> = {
  project: async (path) => ({ as: 'owner', path, smallest: {} }),
  async team() {
    await api.as('admin', 'post', '/api/v1/teams').send({ name: 'makers' }).expect(201);
    return { as: 'admin', path: '/api/v1/teams/makers', smallest: {} };
  },
  environment: async (project) => ({
    as: 'owner',
    path: `${project}/environments/production`,
    smallest: {},
  }),
  async 'service account'(project) {
    const path = `${project}/service-accounts`;
    await api
      .as('owner', 'post', path)
      .send({ name: 'ci', ...account })
      .expect(201);
    return { as: 'owner', path: `${path}/ci`, smallest: account };
  },
  async deployment(project) {
    const path = `${project}/deployments`;
    const { body } = await api.as('owner', 'post', path).send({ environment: 'production' }).expect(201);
    return { as: 'owner', path: `${path}/${body.name}`, smallest: {} };
  },
  async extension(project) {
    const path = `${project}/extensions`;
    const sealed = await api.as('owner', 'post', '/api/v1/encrypt').send({ plaintext: 'secret' }).expect(200);
    await api
      .as('owner', 'post', path)
      .send({
        name: 'login',
        type: 'oauth',
        spec: { ...spec, client_secret_encrypted: sealed.body.encrypted },
      })
      .expect(201);
    return { as: 'owner', path: `${path}/login`, smallest: { spec } };
  },
};

describe.each(Object.entries(kinds))('a PUT of a typed resource: %s', (_kind, make) => {
  let given: Given;
  beforeAll(async () => {
    given = await make(await givenProject(api));
  });
  const read = async () => (await api.as(given.as, 'get', given.path).expect(200)).body;
  const put = (body: object) => api.as(given.as, 'put', given.path).send(body);

  it('takes what a GET answered, and changes nothing by it', async () => {
    const before = await read();
    expect((await put(before).expect(200)).body).toEqual(before);
  });

  it('needs nothing that the path says already', async () => {
    const { name } = await read();
    expect((await put(given.smallest).expect(200)).body.name).toBe(name);
    expect((await put({ ...given.smallest, name }).expect(200)).body.name).toBe(name);
  });

  it('refuses changes of what the server sets, with every fault', async () => {
    const changes = { name: 'renamed', uid: '0190a1b2-c3d4-7e5f-8a9b-0c1d2e3f4a5b', created_at: 'then' };
    const { body } = await put({ ...(await read()), ...changes }).expect(400);
    expect(body.code).toBe('validation_failed');
    expect(body.errors.map(({ path }: { path: string }) => path).sort()).toEqual([
      ...['/created_at', '/name', '/uid'],
    ]);
  });

  it('answers a stale read with a conflict, whatever else differs', async () => {
    const stale = await read();
    const { body } = await put({ ...stale, revision: stale.revision + 1, created_at: 'then' }).expect(409);
    expect(body).toMatchObject({ code: 'revision_conflict', currentRevision: stale.revision });
  });

  // A client that reads again and retries after a conflict never ends.
  it.each([['1'], [null]])('refuses the revision %j, which is no number', async (revision) => {
    const { body } = await put({ ...(await read()), revision }).expect(400);
    expect(body.errors).toEqual([{ path: '/revision', message: 'must be a number' }]);
  });

  it('refuses unknown members, and tells of what the server sets with them', async () => {
    const { body } = await put({ ...(await read()), colour: 'red', created_at: 'then' }).expect(400);
    const paths = body.errors.map(({ path }: { path: string }) => path);
    expect(paths).toEqual(expect.arrayContaining(['/created_at']));
    expect(paths).toHaveLength(2);
  });
});
