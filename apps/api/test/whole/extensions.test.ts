import { randomUUID } from 'node:crypto';
import { givenProject, nameIn } from './given-project.ts';
import { WholeApi } from './whole-api.ts';

const api = new WholeApi();

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
    const path = await givenProject(api);
    const made = await extension(path);
    const name = nameIn(path);
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
    const path = await givenProject(api);
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
    const [path, other] = [await givenProject(api), await givenProject(api)];
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
    const path = await givenProject(api);
    const made = await extension(path);
    const rotated = await api.as('owner', 'post', `${path}/extensions/login/rotate-secret`).expect(200);
    expect(rotated.body.client_secret).not.toBe(made.body.client_secret);
    const { body } = await api.as('owner', 'get', `${path}/extensions/login/env`).expect(200);
    expect(body.LOGIN_CLIENT_SECRET).toBe(rotated.body.client_secret);
    await api.as('stranger', 'post', `${path}/extensions/login/rotate-secret`).expect(403);
  });

  it('tell every fault of a body at once', async () => {
    const path = await givenProject(api);
    const create = (sent: object) => api.as('owner', 'post', `${path}/extensions`).send(sent).expect(400);
    const faultsOf = async (sent: object) =>
      (await create(sent)).body.errors.map(({ path: at }: { path: string }) => at).sort();
    expect(await faultsOf({ name: 'Bad', type: 'saml', more: 1, spec: {} })).toEqual([
      '/more',
      '/name',
      '/spec/client_id',
      '/spec/client_secret_encrypted',
      '/spec/issuer_url',
      '/spec/provider_name',
      '/type',
    ]);
    expect(await faultsOf({ name: 'Bad', type: 'oauth', spec: 5 })).toEqual(['/name', '/spec']);
    expect(await faultsOf({ name: 'Bad', type: 'oauth' })).toEqual(['/name', '/spec']);
    expect(await faultsOf({ name: 'bad', type: 'oauth', spec })).toEqual(['/spec/client_secret_encrypted']);
    const foreign = { ...spec, client_secret_encrypted: 'x' };
    expect(await faultsOf({ name: 'Bad', type: 'oauth', spec: foreign })).toEqual([
      '/name',
      '/spec/client_secret_encrypted',
    ]);
  });

  it('tell every fault of a replacement at once', async () => {
    const path = await givenProject(api);
    await extension(path);
    const { body } = await api
      .as('owner', 'put', `${path}/extensions/login`)
      .send({ name: 'other', spec: { ...spec, client_id: 'other' } })
      .expect(400);
    expect(body.errors.map(({ path: at }: { path: string }) => at).sort()).toEqual([
      '/name',
      '/spec/client_secret_encrypted',
    ]);
  });

  it('leave no secret in the log', () => {
    expect(api.log).not.toContain('upstream-secret');
    expect(api.log.match(/"client_secret"|bootstrap_credential":"[\w-]{43}/g)).toBeNull();
  });
});
