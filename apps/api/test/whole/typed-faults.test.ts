import { WholeApi } from './whole-api.ts';

const api = new WholeApi();
const projects = '/api/v1/projects';
const mine = 'https://mine.example.com';

beforeAll(async () => {
  await api.as('admin', 'post', projects).send({ name: 'first', url: mine }).expect(201);
});

interface Fault {
  readonly path: string;
}

const pathsOf = ({ errors = [] }: { readonly errors?: readonly Fault[] }) =>
  errors.map(({ path }) => path).sort();

describe('the refusal of a body names every fault of it', () => {
  it.each([
    ['that the schema finds', { access_class: 'open', url: mine }, ['/access_class', '/url']],
    ['of addresses', { url: '@platform', custom_domains: [mine] }, ['/custom_domains', '/url']],
    ['of the owner', { url: mine, owner: { team: 'none' } }, ['/owner/team', '/url']],
    [
      'of every kind',
      { access_class: 1, url: mine, owner: { team: 'none' } },
      ['/access_class', '/owner/team', '/url'],
    ],
  ])('%s: a new and a changed project', async (_case, sent, paths) => {
    const fields = { ...sent, url: sent.url === '@platform' ? api.publicUrl : sent.url };
    const created = await api
      .as('admin', 'post', projects)
      .send({ name: 'other', ...fields })
      .expect(400);
    expect(pathsOf(created.body)).toEqual(paths);
    await api.as('admin', 'post', projects).send({ name: 'second' });
    const replaced = await api.as('admin', 'put', `${projects}/second`).send(fields).expect(400);
    expect(pathsOf(replaced.body)).toEqual(paths);
  });

  it('a missing Organization among them, for those who administer it', async () => {
    const sent = { name: 'third', organization: 'nowhere', access_class: 'open', url: mine };
    const { body } = await api.as('operator', 'post', projects).send(sent).expect(400);
    expect(pathsOf(body)).toEqual(['/access_class', '/organization', '/url']);
    const { body: valid } = await api
      .as('operator', 'post', projects)
      .send({ ...sent, access_class: 'public' })
      .expect(400);
    expect(pathsOf(valid)).toEqual(['/organization', '/url']);
    const { body: team } = await api
      .as('operator', 'post', '/api/v1/teams')
      .send({ name: 'Not Valid', organization: 'nowhere' })
      .expect(400);
    expect(pathsOf(team)).toEqual(['/name', '/organization']);
    const { body: admin } = await api.as('admin', 'post', projects).send(sent).expect(400);
    expect(pathsOf(admin)).toEqual(['/access_class']);
  });

  it('but not an address of its own', async () => {
    const sent = { access_class: 'open', url: `${mine}/` };
    const { body } = await api.as('admin', 'put', `${projects}/first`).send(sent).expect(400);
    expect(pathsOf(body)).toEqual(['/access_class']);
  });
});
