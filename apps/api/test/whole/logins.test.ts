import { people, WholeApi } from './whole-api.ts';

const api = new WholeApi(() => ({
  auth: { operator_users: [people.operator], admin_users: [people.admin] },
}));
const logins = '/api/v1/projects/shop/logins';

/** Makes a project with an extension, and an app that is refused for its redirect address. */
async function makeShop(extension: string): Promise<void> {
  await api
    .as('admin', 'post', '/api/v1/projects')
    .send({ name: 'shop', members: [people.owner] })
    .expect(201);
  const sealed = await api
    .as('admin', 'post', '/api/v1/encrypt')
    .send({ plaintext: 'secret', project: 'shop' })
    .expect(200);
  await api
    .as('admin', 'post', '/api/v1/projects/shop/extensions')
    .send({
      name: extension,
      type: 'oauth',
      spec: {
        provider_name: 'Example',
        client_id: 'upstream',
        issuer_url: 'https://idp.invalid',
        client_secret_encrypted: sealed.body.encrypted,
      },
    })
    .expect(201);
  await fetch(
    `${api.publicUrl}/oidc/shop/${extension}/authorize?redirect_uri=https://evil.example/&state=x`,
    {
      redirect: 'manual',
    },
  );
}

/** The logins, once there are some: records without a transaction are stored a moment later. */
async function recorded(): Promise<Record<string, unknown>[]> {
  for (let attempt = 0; ; attempt += 1) {
    const { body } = await api.as('owner', 'get', logins).expect(200);
    if (body.items.length > 0 || attempt > 40) return body.items;
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
}

describe('the logins of a project', () => {
  beforeAll(() => makeShop('sign-in'));

  it('are for its members, without addresses and browsers of visitors', async () => {
    const [first] = await recorded();
    expect(first).toEqual({
      id: expect.any(String),
      time: expect.any(String),
      outcome: 'failed',
      extension: 'sign-in',
      step: 'authorize',
      grant: null,
      reason: expect.stringContaining('redirect_uri'),
      requestId: expect.any(String),
    });
    for (const [query, found] of [
      ['extension=sign-in', 1],
      ['extension=other', 0],
      ['outcome=failed', 1],
      ['outcome=completed', 0],
    ] as const) {
      const { body } = await api.as('owner', 'get', `${logins}?${query}`).expect(200);
      expect([query, body.items.length]).toEqual([query, found]);
    }
  });

  it('come in pages', async () => {
    const { body } = await api.as('owner', 'get', `${logins}?limit=1`).expect(200);
    expect(body.items).toHaveLength(1);
    await api.as('owner', 'get', `${logins}?continue=x`).expect(400);
  });

  it('refuse what no step can have, after it is known who asks', async () => {
    for (const query of ['outcome=maybe', 'outcome=failed&outcome=failed', 'extension=', 'limit=0', 'x=1']) {
      const { body } = await api.as('owner', 'get', `${logins}?${query}`).expect(400);
      expect([query, body.code]).toEqual([query, 'invalid_query']);
    }
    await api.as('stranger', 'get', `${logins}?outcome=maybe`).expect(403);
  });

  it('are told to nobody else, and a missing project looks the same', async () => {
    const answers = [logins, '/api/v1/projects/none/logins'].map((path) => api.as('stranger', 'get', path));
    const [existing, missing] = await Promise.all(answers);
    expect([existing?.status, missing?.status]).toEqual([403, 403]);
    expect(existing?.body.title).toBe(missing?.body.title);
  });

  // Attack: somebody creates a project with the name of a removed one, and reads who used that.
  it('begin with the project that has the name now', async () => {
    expect((await recorded()).length).toBeGreaterThan(0);
    await api.as('admin', 'delete', '/api/v1/projects/shop').expect(200);
    await api
      .as('admin', 'post', '/api/v1/projects?reuse=true')
      .send({ name: 'shop', members: [people.owner] })
      .expect(201);
    const { body } = await api.as('owner', 'get', logins).expect(200);
    expect(body.items).toEqual([]);
  });
});
