import { createHash, randomUUID } from 'node:crypto';
import request from '../openapi/documented-request.ts';
import { WholeApi } from './whole-api.ts';

const api = new WholeApi();
const projects = '/api/v1/projects';
const accounts = `${projects}/shop/service-accounts`;
const account = (name: string) => ({
  name,
  issuer_url: 'https://ci.example',
  claims: { aud: 'platform', sub: 'repo:acme/*' },
});
const people = {
  admin: { uid: randomUUID(), email: 'admin@example.dev' },
  owner: { uid: randomUUID(), email: 'owner@example.dev' },
  // Another account that has the address of the owner now.
  laterOwner: { uid: randomUUID(), email: 'owner@example.dev' },
};
const post = (key: string, path: string, body: object, as: keyof typeof people = 'admin') =>
  request(api.publicUrl)
    .post(path)
    .set('Authorization', `Bearer ${api.session(people[as])}`)
    .set('Idempotency-Key', key)
    .send(body);

beforeAll(async () => {
  await api
    .as('admin', 'post', projects)
    .send({ name: 'shop', owner: { user: 'owner@example.dev' } })
    .expect(201);
});

describe('Idempotency-Key on typed resources', () => {
  it('answers a repeated create as the first one, also when the resource is gone, and creates nothing', async () => {
    for (const [path, body] of [
      [projects, { name: 'blog' }],
      ['/api/v1/teams', { name: 'core' }],
      [accounts, account('ci')],
    ] as const) {
      const first = await post('a', path, body).expect(201);
      const again = await post('a', path, body).expect(201);
      expect([again.text, again.headers['etag']]).toEqual([first.text, first.headers['etag']]);
      for (const { headers } of [first, again]) expect(headers['location']).toBe(`${path}/${body.name}`);
      await api.as('admin', 'get', String(first.headers['location'])).expect(200);
    }
    await api.as('admin', 'delete', `${accounts}/ci`).expect(200);
    await post('a', accounts, account('ci')).expect(201);
    await api.as('admin', 'get', `${accounts}/ci`).expect(404);
  });

  it('answers a credential again, which is stored sealed', async () => {
    const path = `${projects}/shop/deployments`;
    const body = { environment: 'production' };
    const first = await post('b', path, body).expect(201);
    expect(first.body.bootstrap_credential).toEqual(expect.any(String));
    expect((await post('b', path, body).expect(201)).text).toBe(first.text);
    expect((await api.as('admin', 'get', path).expect(200)).body.items).toHaveLength(1);
    const kept = await api.database.sql`select body from answered_requests`;
    expect(JSON.stringify(kept)).not.toContain(first.body.bootstrap_credential);
    const rotate = `${path}/${first.body.name}/rotate-credential`;
    const rotated = await post('b', rotate, {}).expect(200);
    expect((await post('b', rotate, {}).expect(200)).text).toBe(rotated.text);
  });

  it('refuses another body, and keeps no refusal', async () => {
    await post('c', accounts, account('one')).expect(201);
    expect((await post('c', accounts, account('two')).expect(422)).body.code).toBe('idempotency_key_reused');
    await post('d', accounts, account('one')).expect(409);
    await api.as('admin', 'delete', `${accounts}/one`).expect(200);
    await post('d', accounts, account('one')).expect(201);
  });

  it('creates once when many send the request at the same moment', async () => {
    const path = `${projects}/blog/deployments`;
    const answers = await Promise.all(
      Array.from({ length: 8 }, () => post('e', path, { environment: 'production' })),
    );
    const codes = answers.map(({ status, body }) => (status === 201 ? 'created' : body.code));
    expect(codes).toContain('created');
    expect(codes.filter((code) => code !== 'created' && code !== 'request_in_progress')).toEqual([]);
    expect((await api.as('admin', 'get', path).expect(200)).body.items).toHaveLength(1);
  });

  it('answers a repeated request while another one is being answered', async () => {
    const send = () => post('i', accounts, account('repeated'));
    const first = await send();
    expect(first.status).toBe(201);
    await api.database.sql.begin(async (another) => {
      await another`select pg_advisory_xact_lock(hashtextextended(key_hash, 0)) from answered_requests`;
      expect(await send()).toMatchObject({ status: 201, text: first.text });
    });
  });

  it('keeps nothing of a dry run', async () => {
    const kept = async () => (await api.database.sql`select count(*)::int from answered_requests`)[0];
    const before = await kept();
    await post('f', `${accounts}?dryRun=true`, account('later')).expect(201);
    await api.as('admin', 'get', `${accounts}/later`).expect(404);
    expect(await kept()).toEqual(before);
    await post('f', accounts, account('later')).expect(201);
    await api.as('admin', 'get', `${accounts}/later`).expect(200);
  });

  it('answers a dry run as the request itself, which may have been answered before, without its secrets', async () => {
    const body = { environment: 'production' };
    const first = await post('l', `${projects}/shop/deployments`, body).expect(201);
    const tried = `${projects}/shop/deployments?dryRun=true`;
    const again = await post('l', tried, body).expect(201);
    const { bootstrap_credential, ...shown } = first.body;
    expect(bootstrap_credential).toEqual(expect.any(String));
    expect(again.body).toEqual(shown);
    expect(again.headers).toMatchObject({ etag: first.headers['etag'], 'x-dry-run': 'true' });
    const other = await post('l', tried, { ...body, expires_at: '2099-01-01T00:00:00Z' }).expect(422);
    expect(other.body.code).toBe('idempotency_key_reused');
    await post('l', `${accounts}?dryRun=true`, account('tried')).expect(201);
    await post('l', accounts, account('tried')).expect(201);
    await post('l', `${accounts}?dryRun=true`, account('tried')).expect(201);
  });

  it('keeps the key to its caller', async () => {
    const path = `${projects}/shop/deployments`;
    const [one, two] = [
      await post('h', path, { environment: 'production' }),
      await post('h', path, { environment: 'production' }, 'owner'),
    ];
    expect([one.status, two.status]).toEqual([201, 201]);
    expect(two.body.name).not.toBe(one.body.name);
  });

  // Attack: an account that got the address of another one sends the request of that one again, to read its credential.
  it('keeps the key to its account, whatever its address is', async () => {
    const path = `${projects}/shop/deployments`;
    const first = await post('j', path, { environment: 'production' }, 'owner').expect(201);
    const second = await post('j', path, { environment: 'production' }, 'laterOwner').expect(201);
    expect(second.body.name).not.toBe(first.body.name);
  });

  // Attack: a reader of the database tries passwords until the hash of a body fits.
  it('stores no hash of the body alone', async () => {
    const body = account('hashed');
    await post('k', accounts, body).expect(201);
    const alone = createHash('sha256').update(JSON.stringify(body), 'utf8').digest('base64url');
    const kept = await api.database.sql`select body_hash from answered_requests`;
    expect(kept.length).toBeGreaterThan(0);
    expect(kept.map((row) => row['body_hash'])).not.toContain(alone);
  });

  it('answers again when what it changed is gone', async () => {
    const path = `${projects}/shop/deployments`;
    const { body } = await post('i', path, { environment: 'production' }).expect(201);
    const rotate = `${path}/${body.name}/rotate-credential`;
    const rotated = await post('i', rotate, {}).expect(200);
    await api.as('admin', 'delete', `${path}/${body.name}`).expect(200);
    expect((await post('i', rotate, {}).expect(200)).text).toBe(rotated.text);
  });

  // Attack: the answer of an earlier request is read by somebody who has lost the project since.
  it('refuses a caller who may not send the request any more, and records nothing', async () => {
    await post('g', accounts, account('mine'), 'owner').expect(201);
    await api
      .as('admin', 'put', `${projects}/shop`)
      .send({ owner: { user: 'member@example.dev' } })
      .expect(200);
    const tried = api.database.sql`
      select action from audit_records where details->>'dryRun' = 'true' and actor_id like '%owner%'`;
    await post('g', accounts, account('mine'), 'owner').expect(403);
    expect(await tried).toEqual([]);
  });
});
