import { randomUUID } from 'node:crypto';
import { WholeApi } from './whole-api.ts';

const api = new WholeApi();
const projects = '/api/v1/projects';
let sequence = 0;

/** A project of the owner, with one member; answers its path. */
async function project(fields: object = {}): Promise<string> {
  sequence += 1;
  const name = `shop-${sequence}`;
  await api
    .as('admin', 'post', projects)
    .send({ name, owner: { user: 'owner@example.dev' }, members: ['MEMBER@example.dev'], ...fields })
    .expect(201);
  return `${projects}/${name}`;
}

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

  it('answer 409 for a taken name, and 400 for a missing Organization or owner team', async () => {
    await project();
    const taken = { name: `shop-${sequence}` };
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
    const path = await project();
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
    await Promise.all([project(), project(), project()]);
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
    const path = await project();
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
    const path = await project();
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
    const path = await project({ owner: { team: 'crew' }, members: [] });
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
    expect(
      (await api.as('member', 'get', '/api/v1/teams').expect(200)).body.items.map(
        (t: { name: string }) => t.name,
      ),
    ).toEqual(['readers']);
  });
});

describe('what is below projects', () => {
  it('environments: keep those that deployments run in', async () => {
    const path = await project();
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
    const path = `${await project()}/service-accounts`;
    const account = {
      name: 'ci',
      issuer_url: 'https://ci.example',
      claims: { aud: 'platform', sub: 'repo:*' },
    };
    const { body } = await api.as('owner', 'post', path).send(account).expect(201);
    expect(body).toMatchObject({ ...account, email: `shop-${sequence}+ci@sa.platform.local` });
    const refused = await api
      .as('owner', 'post', path)
      .send({ ...account, issuer_url: 'http://ci.example', claims: { aud: 'x' } })
      .expect(400);
    expect(refused.body.errors.map(({ path: at }: { path: string }) => at).sort()).toEqual([
      '/claims',
      '/issuer_url',
    ]);
    const changed = { ...account, claims: { aud: 'platform', sub: 'exact' } };
    expect((await api.as('owner', 'put', `${path}/ci`).send(changed).expect(200)).body.claims).toEqual(
      changed.claims,
    );
    await api.as('owner', 'delete', `${path}/ci`).expect(200);
  });

  it('deployments: show their credential once', async () => {
    const path = `${await project()}/deployments`;
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

describe('extensions', () => {
  const spec = {
    provider_name: 'Example',
    client_id: 'upstream-id',
    issuer_url: 'https://idp.example',
    scopes: ['openid'],
  };
  const sealed = async () =>
    (await api.as('owner', 'post', '/api/v1/encrypt').send({ plaintext: 'upstream-secret' }).expect(200)).body
      .encrypted as string;
  const extension = async (path: string, name = 'login') =>
    api
      .as('owner', 'post', `${path}/extensions`)
      .send({ name, type: 'oauth', spec: { ...spec, client_secret_encrypted: await sealed() } })
      .expect(201);

  it('show their client secret once and the upstream secret never', async () => {
    const path = await project();
    const made = await extension(path);
    const name = `shop-${sequence}`;
    expect(made.body).toMatchObject({
      name: 'login',
      type: 'oauth',
      spec,
      status: {
        client_id: `${name}-login`,
        callback_url: `${api.publicUrl}/oidc/${name}/login/callback`,
        issuer: `${api.publicUrl}/oidc/${name}/login`,
      },
    });
    expect(made.body.client_secret).toMatch(/^[\w-]{43}$/);
    expect(made.text).not.toContain('client_secret_encrypted');
    const read = await api.as('member', 'get', `${path}/extensions/login`).expect(200);
    expect(read.text).not.toContain(made.body.client_secret);
    expect(read.text).not.toContain('encrypted');
    const variables = await api.as('member', 'get', `${path}/extensions/login/env`).expect(200);
    expect(variables.body).toEqual({
      LOGIN_CLIENT_ID: `${name}-login`,
      LOGIN_CLIENT_SECRET: made.body.client_secret,
      LOGIN_ISSUER: made.body.status.issuer,
      PLATFORM_ISSUER: api.publicUrl,
    });
    await api.as('stranger', 'get', `${path}/extensions/login/env`).expect(403);
  });

  it('take only ciphertexts of the encrypt endpoint, and need the secret again when its destination changes', async () => {
    const path = await project();
    await extension(path);
    const put = (changes: object) =>
      api
        .as('owner', 'put', `${path}/extensions/login`)
        .send({ name: 'login', type: 'oauth', spec: { ...spec, ...changes } });
    await put({ description: 'new words' }).expect(200);
    for (const changes of [
      { issuer_url: 'https://evil.example' },
      { client_id: 'other' },
      { token_endpoint: 'https://evil.example/t' },
    ]) {
      const refused = await put(changes).expect(400);
      expect(refused.body.errors[0].path).toBe('/spec/client_secret_encrypted');
    }
    await put({ issuer_url: 'https://other.example', client_secret_encrypted: await sealed() }).expect(200);
    const [row] = await api.database.sql`select sealed_upstream_secret from extensions limit 1`;
    // A ciphertext that is stored for one extension opens nothing when it is sent to another.
    await put({ client_secret_encrypted: String(row?.['sealed_upstream_secret']) }).expect(400);
  });

  it('take a ciphertext for their own project alone, or from the person who made it', async () => {
    const [path, other] = [await project(), await project()];
    const name = path.split('/').at(-1);
    const seal = (person: 'owner' | 'member' | 'stranger', body: object) =>
      api.as(person, 'post', '/api/v1/encrypt').send({ plaintext: 'upstream-secret', ...body });
    const create = (person: 'owner' | 'member', at: string, encrypted: string) =>
      api.as(person, 'post', `${at}/extensions`).send({
        name: `e${randomUUID().slice(0, 8)}`,
        type: 'oauth',
        spec: { ...spec, client_secret_encrypted: encrypted },
      });

    const bound = (await seal('owner', { project: name }).expect(200)).body.encrypted;
    await create('member', path, bound).expect(201);
    const stolen = await create('owner', other, bound).expect(400);
    expect(stolen.body.errors[0].path).toBe('/spec/client_secret_encrypted');

    const own = (await seal('owner', {}).expect(200)).body.encrypted;
    await create('member', path, own).expect(400);
    await create('owner', other, own).expect(201);

    await seal('stranger', { project: name }).expect(403);
    await seal('owner', { project: 'does-not-exist' }).expect(403);
    await seal('owner', { project: 'No Name' }).expect(400);
  });

  it('have a client id that no other extension has, however names are cut', async () => {
    const [short, long] = ['app-a', 'app-a-b'].map((name) => `/api/v1/projects/${name}`) as [string, string];
    for (const name of ['app-a', 'app-a-b']) {
      await api
        .as('admin', 'post', '/api/v1/projects')
        .send({ name, owner: { user: 'owner@example.dev' } })
        .expect(201);
    }
    expect((await extension(short, 'b-c')).body.status.client_id).toBe('app-a-b-c');
    const refused = await api
      .as('owner', 'post', `${long}/extensions`)
      .send({ name: 'c', type: 'oauth', spec: { ...spec, client_secret_encrypted: await sealed() } })
      .expect(409);
    expect(refused.body.code).toBe('already_exists');
    await api.as('owner', 'delete', `${short}/extensions/b-c`).expect(200);
    await extension(long, 'c');
  });

  it('rotate their client secret, the one before staying valid', async () => {
    const path = await project();
    const made = await extension(path);
    const rotated = await api.as('owner', 'post', `${path}/extensions/login/rotate-secret`).expect(200);
    expect(rotated.body.client_secret).not.toBe(made.body.client_secret);
    const { body } = await api.as('owner', 'get', `${path}/extensions/login/env`).expect(200);
    expect(body.LOGIN_CLIENT_SECRET).toBe(rotated.body.client_secret);
    await api.as('stranger', 'post', `${path}/extensions/login/rotate-secret`).expect(403);
  });

  it('tell every fault of their spec', async () => {
    const path = await project();
    const sent = { name: 'bad', type: 'saml', spec: {} };
    await api.as('owner', 'post', `${path}/extensions`).send(sent).expect(400);
    const faults = await api
      .as('owner', 'post', `${path}/extensions`)
      .send({ ...sent, type: 'oauth' })
      .expect(400);
    expect(faults.body.errors.map(({ path: at }: { path: string }) => at)).toEqual(
      expect.arrayContaining(['/spec/provider_name', '/spec/client_id', '/spec/issuer_url']),
    );
    const noSecret = await api
      .as('owner', 'post', `${path}/extensions`)
      .send({ ...sent, type: 'oauth', spec })
      .expect(400);
    expect(noSecret.body.errors[0].path).toBe('/spec/client_secret_encrypted');
  });

  it('leave no secret in the log', () => {
    expect(api.log).not.toContain('upstream-secret');
    expect(api.log.match(/"client_secret"|bootstrap_credential":"[\w-]{43}/g)).toBeNull();
  });
});
