import { createRemoteJWKSet, jwtVerify } from 'jose';
import { DnsServer } from './dns-server.ts';
import { WholeApi } from './whole-api.ts';

const dns = new DnsServer();
const api = new WholeApi(async () => ({
  server: { project_url_template: 'https://{project}.apps.example.dev' },
  outbound: { dns_servers: [await dns.start()], timeout_ms: 600 },
}));
const projects = '/api/v1/projects';
let sequence = 0;

afterAll(() => dns.stop());
beforeEach(() => {
  dns.silent = false;
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

describe('addresses that two projects of version 0.24.0 share', () => {
  it('are trusted for the older one alone, until the other is changed', async () => {
    const older = await project({ url: 'https://twice.example.com' });
    const younger = await project({ access_class: 'public' });
    // As a replica of that version writes it during an upgrade.
    await api.database.sql`
      update projects set url = 'https://twice.example.com/', url_origin = 'https://twice.example.com' where name = ${younger.name}`;
    const { body } = await api.as('owner', 'get', younger.path).expect(200);
    expect(body.contested_addresses).toEqual(['https://twice.example.com']);
    const ingress = (name: string) => api.as('admin', 'get', `/api/v1/auth/ingress?project=${name}`);
    await ingress(younger.name).expect(403);
    await ingress(older.name).expect(200);
    await api.as('owner', 'put', younger.path).send({ url: 'https://twice.example.com/' }).expect(422);
    await api.as('owner', 'put', younger.path).send({}).expect(200);
    await ingress(younger.name).expect(200);
  });

  // Attack: the younger project receives the logins of users who follow a link to the shared address.
  it('are no target of logins and of OAuth redirects of the younger one', async () => {
    const older = await project({ url: 'https://shared.example.com' });
    const younger = await project();
    await api.database.sql`
      update projects set url = 'https://shared.example.com/', url_origin = 'https://shared.example.com' where name = ${younger.name}`;
    const sealed = await api
      .as('owner', 'post', '/api/v1/encrypt')
      .send({ plaintext: 'secret', project: younger.name })
      .expect(200);
    const spec = {
      provider_name: 'p',
      client_id: 'c',
      issuer_url: 'https://idp.example.com',
      authorization_endpoint: 'https://idp.example.com/authorize',
      token_endpoint: 'https://idp.example.com/token',
      client_secret_encrypted: sealed.body.encrypted,
    };
    await api
      .as('owner', 'post', `${younger.path}/extensions`)
      .send({ name: 'login', type: 'oauth', spec })
      .expect(201);
    const authorize = (redirectUri: string) =>
      api.as(
        'stranger',
        'get',
        `/oidc/${younger.name}/login/authorize?redirect_uri=${encodeURIComponent(redirectUri)}`,
      );
    await authorize('http://localhost:3000/cb').expect(302);
    expect((await authorize('https://shared.example.com/cb').expect(400)).body.error).toBe('invalid_request');

    await api.as('admin', 'delete', older.path).expect(200);
    await authorize('https://shared.example.com/cb').expect(400);
    const login = await api.as(
      'stranger',
      'get',
      `/api/v1/auth/login?redirect=${encodeURIComponent('https://shared.example.com/x')}`,
    );
    expect([login.status, login.body.code]).toEqual([400, 'invalid_query']);
  });
});
