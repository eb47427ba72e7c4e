import { timeoutFactor } from '@platform/development/testing';
import { createRemoteJWKSet, jwtVerify } from 'jose';
import request from '../openapi/documented-request.ts';
import { DnsServer } from './dns-server.ts';
import { WholeApi } from './whole-api.ts';

const dns = new DnsServer();
const api = new WholeApi(async () => ({
  server: { project_url_template: 'https://{project}.apps.example.dev' },
  outbound: { dns_servers: [await dns.start()], timeout_ms: 2_000 * timeoutFactor },
}));
const projects = '/api/v1/projects';
let sequence = 0;

afterAll(() => dns.stop());
beforeEach(() => {
  dns.silent = false;
  dns.before = async () => {};
  dns.asked.length = 0;
});

/** A project of the owner; answers its path and name. */
async function project(fields: object = {}): Promise<{ path: string; name: string }> {
  sequence += 1;
  const name = `site-${sequence}`;
  const sent = { name, owner: { user: 'owner@example.dev' }, ...fields };
  await api.as('admin', 'post', projects).send(sent).expect(201);
  return { name, path: `${projects}/${name}` };
}

describe('the address of a project', () => {
  // Attack: a public project with the URL of a private one, whose verifiers compare the audience.
  it('cannot be taken by another project, so that no token for it opens this one', async () => {
    await project({ url: 'https://shop.example.com' });
    const evil = await project({ access_class: 'public' });
    for (const person of ['owner', 'admin'] as const) {
      const taken = await api
        .as(person, 'put', evil.path)
        .send({ url: 'https://shop.example.com', access_class: 'public' });
      expect([person, taken.status]).toEqual([person, person === 'admin' ? 409 : 422]);
    }
    const { body } = await api.as('stranger', 'get', `/api/v1/auth/ingress?project=${evil.name}`).expect(200);
    const keys = createRemoteJWKSet(new URL(`${api.publicUrl}/api/v1/auth/jwks`));
    await expect(
      jwtVerify(body.token, keys, { issuer: api.publicUrl, audience: 'https://shop.example.com' }),
    ).rejects.toThrow('aud');
  });

  it.each([
    'https://SHOP.example.net',
    'https://shop.example.net:443/',
    'https://shop.example.net/app/..',
    'https://shop.example.net/%61/../',
  ])('is one however it is spelled: %s', async (url) => {
    const first = await api
      .as('admin', 'post', projects)
      .send({ name: 'spelled', url: 'https://shop.example.net/' });
    expect([201, 409]).toContain(first.status);
    const { path } = await project();
    expect((await api.as('admin', 'put', path).send({ url }).expect(409)).body.code).toBe('already_exists');
    await api
      .as('admin', 'put', path)
      .send({ custom_domains: ['https://shop.example.net'] })
      .expect(409);
    await api.as('admin', 'post', projects).send({ name: 'late', url }).expect(409);
    await api.as('admin', 'get', `${projects}/late`).expect(404);
  });

  // Attack: in DNS, and for most proxies, a dot at the end makes no other host.
  it('is not taken by a dot at the end of its host', async () => {
    await project({ url: 'https://dotted.example.com' });
    const { path } = await project();
    for (const text of [
      'https://dotted.example.com.',
      'https://dotted.example.com.:8443',
      'https://localhost.',
    ]) {
      await api.as('admin', 'put', path).send({ url: text }).expect(400);
      await api
        .as('admin', 'put', path)
        .send({ custom_domains: [text] })
        .expect(400);
    }
  });

  it('is free again when its project has another one or is deleted', async () => {
    const first = await project({
      url: 'https://free.example.com',
      custom_domains: ['https://www.free.example.com'],
    });
    const second = await project();
    const take = (status: number) =>
      api
        .as('admin', 'put', second.path)
        .send({ url: 'https://free.example.com', custom_domains: ['https://www.free.example.com'] })
        .expect(status);
    await take(409);
    await api.as('admin', 'put', first.path).send({}).expect(200);
    await take(200);
    await api.as('admin', 'delete', second.path).expect(200);
    await api.as('admin', 'put', first.path).send({ url: 'https://free.example.com' }).expect(200);
  });

  // Attack: a token for the former project of an address has the audience of the next one.
  it('opens its next project to nobody with a token of the former one', async () => {
    const url = 'https://handed-on.example.com';
    const former = await project({ url, access_class: 'public' });
    const next = await project({ access_class: 'public' });
    const ingress = (name: string) => `/api/v1/auth/ingress?project=${name}`;
    const { body } = await api.as('stranger', 'get', ingress(former.name)).expect(200);
    await api.as('admin', 'put', former.path).send({ access_class: 'public' }).expect(200);
    await api.as('admin', 'put', next.path).send({ url, access_class: 'public' }).expect(200);

    const visit = () => request(api.publicUrl).get(ingress(next.name));
    await visit().set('Authorization', `Bearer ${body.token}`).expect(401);
    await visit().set('Cookie', `__Host-platform_ingress=${body.token}`).expect(401);
    const { body: own } = await api.as('stranger', 'get', ingress(next.name)).expect(200);
    await visit().set('Authorization', `Bearer ${own.token}`).expect(200);
    await visit().set('Cookie', `__Host-platform_ingress=${own.token}`).expect(200);
  });

  it('goes to one of those who take it at the same moment', async () => {
    const rivals = await Promise.all(Array.from({ length: 4 }, () => project()));
    for (let round = 0; round < 5; round += 1) {
      const url = `https://race-${round}.example.com`;
      const sent = { url, custom_domains: [`https://www.race-${round}.example.com`] };
      const answers = await Promise.all([
        ...rivals.map(({ path }) => api.as('admin', 'put', path).send(sent)),
        api.as('admin', 'post', projects).send({ name: `race-${round}`, ...sent }),
      ]);
      expect(answers.map(({ status }) => (status < 300 ? 'won' : status)).sort()).toEqual([
        409,
        409,
        409,
        409,
        'won',
      ]);
    }
  });

  it('is never the address of the platform', async () => {
    const { path } = await project();
    for (const sent of [{ url: `${api.publicUrl}/shop` }, { custom_domains: [api.publicUrl] }]) {
      await api.as('admin', 'put', path).send(sent).expect(400);
      await api
        .as('admin', 'post', projects)
        .send({ name: 'platform-twin', ...sent })
        .expect(400);
    }
  });

  it('is no audience for a workload token', async () => {
    const { path } = await project({
      url: 'https://aud.example.com/app',
      custom_domains: ['https://alias.example.com'],
    });
    const made = await api
      .as('owner', 'post', `${path}/deployments`)
      .send({ environment: 'production' })
      .expect(201);
    const mint = (audience: string) =>
      api
        .as('owner', 'post', '/api/v1/identity/token')
        .set('Authorization', `Bearer ${made.body.bootstrap_credential}`)
        .send({ audience });
    for (const audience of [
      'https://aud.example.com/app',
      'https://AUD.example.com/app/',
      'https://alias.example.com',
    ]) {
      expect((await mint(audience).expect(400)).body.errors[0].path).toBe('/audience');
    }
    for (const audience of ['https://aud.example.com/other', 'sts.amazonaws.com'])
      await mint(audience).expect(200);
  });
});

describe('an owner', () => {
  it('sets what the template gives to the name of the project, and pages below it', async () => {
    const { path, name } = await project();
    const own = `https://${name}.apps.example.dev`;
    for (const sent of [{ url: own }, { url: `${own}/app` }, { custom_domains: [own] }, {}]) {
      await api.as('owner', 'put', path).send(sent).expect(200);
    }
    const others = [
      { url: 'https://other.apps.example.dev' },
      { url: `https://${name}.apps.example.dev.evil.example` },
      { url: `https://${name}.apps.example.dev:8443` },
      { custom_domains: ['https://apps.example.dev'] },
      { custom_domains: ['http://localhost:3000'] },
    ];
    for (const sent of others) {
      const { status, body } = await api.as('owner', 'put', path).send(sent);
      expect([sent, status, body.code]).toEqual([sent, 422, 'domain_unverified']);
    }
    expect((await api.as('owner', 'get', path).expect(200)).body.custom_domains).toEqual([]);
  });

  it('sets a domain once its TXT record is published, and keeps what an admin has set', async () => {
    const { path } = await project();
    const sent = {
      url: 'https://Mine.example.com/app',
      custom_domains: ['https://www.mine.example.com:8443'],
    };
    const refused = await api.as('owner', 'put', path).send(sent).expect(422);
    const { body } = await api
      .as('owner', 'get', `${path}/domain-challenges?host=mine.example.com&host=www.mine.example.com`)
      .expect(200);
    expect(refused.body.challenges).toEqual(body.items);
    expect(refused.body.errors.map(({ path: at }: { path: string }) => at)).toEqual([
      '/url',
      '/custom_domains',
    ]);
    const [first, second] = body.items;
    expect(first).toMatchObject({
      host: 'mine.example.com',
      record: '_platform-challenge.mine.example.com',
      type: 'TXT',
    });
    // Attack: one record is published for another host or another project.
    dns.records.set(first.record, ['unrelated', first.value]);
    dns.records.set(second.record, [first.value]);
    await api.as('owner', 'put', path).send(sent).expect(422);
    dns.records.set(second.record, [second.value]);
    const other = await project();
    await api.as('owner', 'put', other.path).send(sent).expect(422);
    const { body: set } = await api.as('owner', 'put', path).send(sent).expect(200);
    expect(set.url).toBe('https://mine.example.com/app');
    dns.records.clear();
    await api
      .as('owner', 'put', path)
      .send({ ...sent, members: ['member@example.dev'] })
      .expect(200);
    const listed = await api.as('owner', 'get', `${path}/domain-challenges`).expect(200);
    expect(listed.body.items).toEqual(body.items);
  });

  // Attack: a project is replaced by another one of its name while DNS is asked, which would get what was proven for the first.
  it('is not given what a former project of the name has proven', async () => {
    const { path, name } = await project();
    const sent = { url: 'https://former.example.com' };
    const refused = await api.as('owner', 'put', path).send(sent).expect(422);
    const [challenge] = refused.body.challenges;
    dns.records.set(challenge.record, [challenge.value]);
    let replaced: Promise<unknown> | undefined;
    dns.before = async () => {
      replaced ??= api
        .as('admin', 'delete', path)
        .expect(200)
        .then(() =>
          api
            .as('admin', 'post', `${projects}?reuse=true`)
            .send({ name, owner: { user: 'owner@example.dev' } })
            .expect(201),
        );
      await replaced;
    };
    const { body } = await api.as('owner', 'put', path).send(sent).expect(422);
    expect(body.challenges[0].record).toBe(challenge.record);
    expect(body.challenges[0].value).not.toBe(challenge.value);
  });

  it('is refused in bounded time while nobody answers for the domain, and a stranger makes nobody ask', async () => {
    const { path } = await project();
    dns.silent = true;
    await api.as('owner', 'put', path).send({ url: 'https://silent.example.com' }).expect(422);
    dns.asked.length = 0;
    await api.as('stranger', 'put', path).send({ url: 'https://silent.example.com' }).expect(403);
    await api.as('stranger', 'get', `${path}/domain-challenges`).expect(403);
    expect(dns.asked).toEqual([]);
    for (const host of ['a b', '', '10.0.0.1', 'localhost', `${'x'.repeat(64)}.example.com`]) {
      await api.as('owner', 'get', `${path}/domain-challenges?host=${encodeURIComponent(host)}`).expect(400);
    }
  });
});

describe('the URL that the template gives', () => {
  const plain = new WholeApi(() => ({
    server: { project_url_template: 'http://{project}.Apps.example.dev:80/%7eapp' },
  }));

  it('is stored in its one spelling, and can be written back, also where it is plain http', async () => {
    const sent = { name: 'plain', owner: { user: 'owner@example.dev' } };
    const { body } = await plain.as('admin', 'post', projects).send(sent).expect(201);
    expect(body.url).toBe('http://plain.apps.example.dev/~app');
    const { body: again } = await plain.as('owner', 'put', `${projects}/plain`).send(body).expect(200);
    expect(again).toEqual(body);
    await plain.as('admin', 'put', `${projects}/plain`).send({ url: 'http://plain.example.dev' }).expect(400);
  });
});
