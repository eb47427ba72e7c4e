import { generateKeyPairSync, randomBytes } from 'node:crypto';
import jwt from 'jsonwebtoken';
import request from '../openapi/documented-request.ts';
import { WholeApi } from './whole-api.ts';

// Replicas whose configurations are not the same: a rolling restart with new keys, or a mistake.
function rsaPair() {
  const { privateKey, publicKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
  return {
    rs256_private_key_pem: String(privateKey.export({ type: 'pkcs8', format: 'pem' })),
    rs256_public_key_pem: String(publicKey.export({ type: 'spki', format: 'pem' })),
  };
}
const fresh = () => randomBytes(32).toString('base64');
const [newSecret, foreignSecret] = [fresh(), fresh()];
const api = new WholeApi(() => ({ encryption: { keys: [{ id: 'k1', key: fresh() }] } }));
const oldSecret = api.secret;
/** The second step of a rotation: the new secret signs, both verify. */
const rotated = api.replica(({ server }) => ({
  server: { ...server, jwt_signing_secrets: [newSecret, oldSecret] },
}));
/** Shares no key with the others. */
const foreign = api.replica(({ server }) => ({
  server: { ...server, ...rsaPair(), jwt_signing_secrets: [foreignSecret] },
  encryption: { keys: [{ id: 'k2', key: fresh() }] },
}));

const ask = (at: { readonly publicUrl: string }, path: string, token: string) =>
  request(at.publicUrl).get(path).set('Authorization', `Bearer ${token}`);
const me = '/api/v1/auth/me';

const extension = {
  name: 'login',
  type: 'oauth',
  spec: { provider_name: 'Example', client_id: 'up', issuer_url: 'https://idp.example', scopes: ['openid'] },
};

/** A session that a replica with that secret has issued. */
function sessionBy(secret: string, person: 'admin' | 'operator' = 'admin'): string {
  const { exp, iat, ...claims } = jwt.decode(api.session(person)) as jwt.JwtPayload;
  return jwt.sign({ ...claims, iat, exp }, Buffer.from(secret, 'base64'), { algorithm: 'HS256' });
}

describe('replicas with different secrets of sessions', () => {
  it('accept the sessions of each other while both have the old secret, the one signs with the new one', async () => {
    await ask(api, me, sessionBy(oldSecret)).expect(200);
    await ask(rotated, me, sessionBy(oldSecret)).expect(200);
    await ask(rotated, me, sessionBy(newSecret)).expect(200);
  });

  it('refuse a session of a secret that they do not have with 401', async () => {
    for (const [at, secret] of [
      [api, newSecret],
      [foreign, oldSecret],
    ] as const) {
      const { body } = await ask(at, me, sessionBy(secret)).expect(401);
      expect(body.code).toBe('unauthenticated');
    }
  });
});

describe('replicas with different RS256 keys', () => {
  it('refuse the ingress tokens of each other, and neither publishes the key of the other', async () => {
    await api.as('admin', 'post', '/api/v1/projects').send({ name: 'shop' }).expect(201);
    const path = '/api/v1/auth/ingress?project=shop';
    const { body } = await api.as('admin', 'get', path).expect(200);
    await ask(api, path, body.token).expect(200);
    await ask(foreign, path, body.token).expect(401);
    const kids = async (at: { readonly publicUrl: string }) =>
      (await request(at.publicUrl).get('/api/v1/auth/jwks').expect(200)).body.keys.map(
        ({ kid }: { kid: string }) => kid,
      );
    expect(await kids(foreign)).not.toEqual(expect.arrayContaining(await kids(api)));
  });
});

describe('replicas with different encryption keys', () => {
  it('do not open what another one has sealed, and say no word about keys', async () => {
    const { body } = await api
      .as('admin', 'post', '/api/v1/encrypt')
      .send({ plaintext: 'upstream' })
      .expect(200);
    const { body: refused } = await request(foreign.publicUrl)
      .post('/api/v1/projects/shop/extensions')
      .set('Authorization', `Bearer ${sessionBy(foreignSecret)}`)
      .send({ ...extension, spec: { ...extension.spec, client_secret_encrypted: body.encrypted } })
      .expect(400);
    expect(refused.errors).toEqual([
      { path: '/spec/client_secret_encrypted', message: expect.not.stringMatching(/k1|k2|key/) },
    ]);
  });
});

describe('values whose encryption key is lost', () => {
  const resources = '/api/v1/resources/platform.dev/v1alpha1';
  const document = (kind: string, name: string, spec: object) => ({
    apiVersion: 'platform.dev/v1alpha1',
    kind,
    metadata: { name },
    spec,
  });
  /** An operator's request to the replica that cannot open them. */
  const send = (method: 'get' | 'put' | 'patch', path: string) =>
    request(foreign.publicUrl)
      [method](`${resources}${path}`)
      .set('Authorization', `Bearer ${sessionBy(foreignSecret, 'operator')}`);
  const again = 'is sealed with an encryption key that is no longer configured: write the value again';

  beforeAll(async () => {
    const data = { a: 'YQ==', b: 'Yg==' };
    for (const name of ['put', 'patched', 'fixed']) {
      const secret = document('Secret', name, { data, immutable: name === 'fixed' });
      await api.as('operator', 'post', `${resources}/secrets/default`).send(secret).expect(201);
    }
    const url = 'https://receiver.example';
    const subscription = document('Subscription', 'hook', { url, secret: fresh() });
    await api.as('operator', 'post', `${resources}/subscriptions`).send(subscription).expect(201);
  });

  it('do not keep an operator from reading the metadata', async () => {
    const { body: item } = await send('get', '/secrets/default/put?view=metadata').expect(200);
    expect(item.metadata.revision).toBe(1);
    const { body: list } = await send('get', '/secrets/default?view=metadata').expect(200);
    expect(list.items).toHaveLength(3);
  });

  it('are written again by a PUT', async () => {
    const written = { ...document('Secret', 'put', { data: { a: 'YQ==' } }) };
    const body = { ...written, metadata: { name: 'put', revision: 1 } };
    const { body: replaced } = await send('put', '/secrets/default/put').send(body).expect(200);
    expect([replaced.spec, replaced.metadata.generation]).toEqual([{ data: { a: 'YQ==' } }, 2]);
    const { body: read } = await send('get', '/secrets/default/put').expect(200);
    expect(read.spec).toEqual(replaced.spec);
  });

  it('are written again by a PATCH of all of them, and none is kept as it is sealed', async () => {
    const patch = (spec: object) =>
      send('patch', '/secrets/default/patched')
        .type('application/merge-patch+json')
        .send(JSON.stringify({ metadata: { labels: { a: 'b' } }, spec }));
    const { body: refused } = await patch({ data: { a: 'eg==' } }).expect(400);
    expect(refused.errors).toEqual([{ path: '/spec/data/b', message: again }]);
    const { body: patched } = await patch({ data: { a: 'eg==', b: null } }).expect(200);
    expect(patched.spec.data).toEqual({ a: 'eg==' });
  });

  it('of an immutable Secret stay, since nobody can tell whether they would change', async () => {
    const body = { ...document('Secret', 'fixed', { data: { a: 'YQ==', b: 'Yg==' }, immutable: true }) };
    const metadata = { name: 'fixed', revision: 1 };
    const { body: refused } = await send('put', '/secrets/default/fixed')
      .send({ ...body, metadata })
      .expect(400);
    expect(refused.errors).toEqual([expect.objectContaining({ path: '/spec/data' })]);
  });

  it('of a subscription are written again by a PUT with the secret, and only so', async () => {
    const put = async (spec: object) => {
      const { body } = await send('get', '/subscriptions/hook').expect(200);
      const metadata = { name: 'hook', revision: body.metadata.revision };
      return send('put', '/subscriptions/hook').send({
        ...document('Subscription', 'hook', { url: 'https://receiver.example', ...spec }),
        metadata,
      });
    };
    const refused = await put({ suspend: true });
    expect([refused.status, refused.body.errors]).toEqual([400, [{ path: '/spec/secret', message: again }]]);
    expect((await put({ secret: fresh() })).status).toBe(200);
  });
});

it('the start of each replica is noted for each of its keys, and no secret is', async () => {
  const rows = await api.database.sql`select purpose, id from known_keys order by 1, 2`;
  const of = (purpose: string) => rows.filter((row) => row['purpose'] === purpose).map((row) => row['id']);
  expect(of('encryption')).toEqual(['k1', 'k2']);
  expect([of('sessions').length, of('identity').length]).toEqual([3, 2]);
  for (const id of of('sessions')) expect(id).toMatch(/^[0-9a-f]{12}$/);
});
