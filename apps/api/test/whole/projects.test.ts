import { givenProject, nameIn, projects } from './given-project.ts';
import { WholeApi } from './whole-api.ts';

const api = new WholeApi();

describe('projects', () => {
  it('come with defaults, a link to their Organization and a production environment', async () => {
    const { body } = await api.as('admin', 'post', projects).send({ name: 'fresh' }).expect(201);
    expect(body).toMatchObject({
      name: 'fresh',
      organization: 'default',
      access_class: 'private',
      url: 'http://fresh.localhost:3000',
      custom_domains: [],
      owner: { user: 'admin@example.dev' },
      members: [],
    });
    expect(body.organization_resource_uid).toMatch(/^[0-9a-f-]{36}$/);
    const environments = await api.as('admin', 'get', `${projects}/fresh/environments`).expect(200);
    expect(environments.body.items).toMatchObject([{ name: 'production', project: 'fresh' }]);
  });

  it('answer every fault of a body at once, as problem+json', async () => {
    const sent = {
      name: 'Not_A_Label',
      url: 'javascript:alert(1)',
      custom_domains: ['http://evil.example'],
      members: ['x'],
      colour: 1,
    };
    const { body, headers } = await api.as('admin', 'post', projects).send(sent).expect(400);
    expect(headers['content-type']).toBe('application/problem+json');
    expect(body.errors.map(({ path }: { path: string }) => path).sort()).toEqual([
      '/colour',
      '/custom_domains/0',
      '/members/0',
      '/name',
      '/url',
    ]);
  });

  it('name an owner team that does not exist with the other faults of a body', async () => {
    const path = await givenProject(api);
    const faulty = { owner: { team: 'none' }, members: ['x'] };
    for (const request of [
      api.as('admin', 'post', projects).send({ name: 'fresh-1', ...faulty }),
      api.as('admin', 'put', path).send(faulty),
    ]) {
      const { body } = await request.expect(400);
      expect(body.errors.map((fault: { path: string }) => fault.path)).toEqual(['/members/0', '/owner/team']);
    }
  });

  // Node.js 24 takes them for parts of a host.
  const refusesThem = URL.canParse('https://xn--a.example') ? it.skip : it;
  refusesThem.each(['xn--a', 'xn--0'])(
    'are refused with the name %s, which is no Punycode and so no part of a URL',
    async (name) => {
      for (const more of [{}, { url: 'https://other.example' }]) {
        const { body } = await api
          .as('admin', 'post', projects)
          .send({ name, ...more })
          .expect(400);
        expect(body.errors).toMatchObject([{ path: '/name' }]);
      }
    },
  );

  // Each of these characters has nine in the canonical form, which is the one that PostgreSQL indexes.
  it('have a url of at most 2048 characters in its canonical form', async () => {
    const path = await givenProject(api);
    const put = (length: number) =>
      api.as('admin', 'put', path).send({ url: `https://long.example/${'\u4e00'.repeat(length)}` });
    await put(225).expect(200);
    const { body } = await put(226).expect(400);
    expect(body.errors).toMatchObject([{ path: '/url' }]);
  });

  it('answer 409 for a taken name, and 400 for a missing Organization or owner team', async () => {
    const taken = { name: nameIn(await givenProject(api)) };
    expect((await api.as('admin', 'post', projects).send(taken).expect(409)).body.code).toBe(
      'already_exists',
    );
    await api.as('operator', 'post', projects).send({ name: 'x1', organization: 'none' }).expect(400);
    await api
      .as('admin', 'post', projects)
      .send({ name: 'x1', owner: { team: 'none' } })
      .expect(400);
  });

  it('belong to their owner and members; anybody else gets one 403 for those that exist and those that do not', async () => {
    const path = await givenProject(api);
    for (const person of ['owner', 'member', 'admin'] as const) await api.as(person, 'get', path).expect(200);
    const [existing, missing] = await Promise.all(
      [path, `${projects}/never-made`].map((at) => api.as('stranger', 'get', at).expect(403)),
    );
    const neutral = ({ instance: _path, requestId: _id, ...rest }: Record<string, unknown>) => rest;
    expect(neutral(existing?.body)).toEqual(neutral(missing?.body));
    await api.as('admin', 'get', `${projects}/never-made`).expect(404);
    await api.as('stranger', 'post', projects).send({ name: 'mine' }).expect(403);
    await api.as('operator', 'get', path).expect(403);
  });

  it('are listed for those who may see them, in pages by name', async () => {
    await Promise.all([givenProject(api), givenProject(api), givenProject(api)]);
    const first = await api.as('member', 'get', `${projects}?limit=2`).expect(200);
    expect(first.body.items).toHaveLength(2);
    const next = await api
      .as('member', 'get', `${projects}?limit=2&continue=${first.body.continue}`)
      .expect(200);
    expect(next.body.items[0].name > first.body.items[1].name).toBe(true);
    expect((await api.as('stranger', 'get', projects).expect(200)).body).toEqual({ items: [] });
    await api.as('admin', 'get', `${projects}?limit=0`).expect(400);
    await api.as('admin', 'get', `${projects}?continue=%20`).expect(400);
  });

  it('change by PUT, but for name and Organization', async () => {
    const path = await givenProject(api);
    const changed = {
      access_class: 'public',
      url: 'https://shop.example/app',
      custom_domains: ['HTTPS://Shop.Example:443'],
    };
    const { body } = await api.as('admin', 'put', path).send(changed).expect(200);
    expect(body).toMatchObject({
      ...changed,
      custom_domains: ['https://shop.example'],
      owner: { user: 'owner@example.dev' },
    });
    await api.as('owner', 'put', path).send({ name: 'other' }).expect(400);
    await api.as('owner', 'put', path).send({ organization: 'other' }).expect(400);
    await api.as('stranger', 'put', path).send({}).expect(403);
  });

  it('end with everything below them', async () => {
    const path = await givenProject(api);
    const made = await api
      .as('owner', 'post', `${path}/deployments`)
      .send({ environment: 'production' })
      .expect(201);
    const mint = () =>
      api
        .as('owner', 'post', '/api/v1/identity/token')
        .set('Authorization', `Bearer ${made.body.bootstrap_credential}`)
        .send({ audience: 'a' });
    await mint().expect(200);
    await api.as('owner', 'delete', path).expect(200);
    await mint().expect(401);
    await api.as('admin', 'get', path).expect(404);
  });

  it('answer unknown methods with 405 and Allow, and what can be no name as unknown', async () => {
    const answer = await api.as('admin', 'delete', projects).expect(405);
    expect(answer.headers['allow']).toBe('GET, POST');
    for (const name of ['%00', 'A', '..%2F..', 'x'.repeat(64), '%E0%A4%A']) {
      const { status } = await api.as('admin', 'get', `${projects}/${name}`);
      expect([400, 404]).toContain(status);
    }
  });

  it('refuse bodies that are no JSON, of another type, or too large', async () => {
    await api.as('admin', 'post', projects).set('Content-Type', 'application/json').send('{').expect(400);
    await api.as('admin', 'post', projects).set('Content-Type', 'text/plain').send('{}').expect(415);
    await api
      .as('admin', 'post', projects)
      .send({ name: 'x'.repeat(1_100_000) })
      .expect(413);
  });
});
