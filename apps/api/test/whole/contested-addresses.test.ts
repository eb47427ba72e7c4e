import { givenProject, nameIn } from './given-project.ts';
import { WholeApi } from './whole-api.ts';

const api = new WholeApi();

/** A project of the owner; answers its path and name. */
async function project(fields: object = {}): Promise<{ path: string; name: string }> {
  const path = await givenProject(api, fields);
  return { path, name: nameIn(path) };
}

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

  it('cannot have a URL that is too long for their index, which a replica of that version does not know', async () => {
    const { name, path } = await project();
    const { body: before } = await api.as('owner', 'get', path).expect(200);
    const letters = Array.from({ length: 1_400 }, (_, index) =>
      String.fromCharCode(0x4e00 + ((index * 7_919) % 20_000)),
    );
    const url = `https://long.example.com/${letters.join('')}`;
    const write = api.database.sql`
      update projects set url = ${url}, url_origin = 'https://long.example.com' where name = ${name}`;
    await expect(write).rejects.toThrow('index row size');
    expect((await api.as('owner', 'get', path).expect(200)).body).toEqual(before);
    await api.as('admin', 'put', path).send({ url }).expect(400);
  });

  it('receive no visitors of the younger one', async () => {
    await project({ custom_domains: ['https://both.example.com'] });
    const younger = await project({ access_class: 'public', custom_domains: ['https://own.example.com'] });
    await api.database.sql`
      update projects set custom_domains = array['https://own.example.com', 'https://both.example.com'] where name = ${younger.name}`;
    const start = (origin: string) =>
      api
        .as(
          'stranger',
          'get',
          `/api/v1/auth/ingress/start?project=${younger.name}&origin=${encodeURIComponent(origin)}`,
        )
        .redirects(0);
    await start('https://own.example.com').expect(303);
    await start('https://both.example.com').expect(400);
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
