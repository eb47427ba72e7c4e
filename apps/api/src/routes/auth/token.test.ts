import { Problem } from '@platform/kernel';
import { exportJWK, generateKeyPair, SignJWT } from 'jose';
import request from '../../../test/openapi/documented-request.ts';
import { startIssuer, startPlatform } from '../../../test/platform-tokens.ts';

const PATH = '/api/v1/auth/token';
const EMAIL = 'shop+ci@sa.platform.local';
const NOW = 1_750_000_000;

type Issuer = Awaited<ReturnType<typeof startIssuer>>;
type Platform = Awaited<ReturnType<typeof startPlatform>>;
type Pair = Awaited<ReturnType<typeof generateKeyPair>>;

const state = { now: NOW * 1000 };
const clock = { now: () => state.now };
let issuer: Issuer;
let platform: Platform;
let pair: Pair;
let next: Pair;

const publicJwk = async ({ publicKey }: Pair, kid: string) => ({
  ...(await exportJWK(publicKey)),
  kid,
  alg: 'RS256',
  use: 'sig',
});

const sign = (claims: Record<string, unknown> = {}, key: Pair = pair, kid = 'one') =>
  new SignJWT({
    iss: issuer.url,
    aud: 'shop',
    sub: 'repo:acme/shop:ref:main',
    iat: NOW,
    exp: NOW + 300,
    ...claims,
  })
    .setProtectedHeader({ alg: 'RS256', typ: 'JWT', kid })
    .sign(key.privateKey);

const body = async (more: Record<string, unknown> = {}) => ({
  grant_type: 'urn:ietf:params:oauth:grant-type:token-exchange',
  subject_token: await sign(),
  subject_token_type: 'urn:ietf:params:oauth:token-type:jwt',
  identity: EMAIL,
  ...more,
});

beforeAll(async () => {
  [pair, next] = await Promise.all([generateKeyPair('RS256'), generateKeyPair('RS256')]);
});

beforeEach(async () => {
  state.now = NOW * 1000;
  issuer = await startIssuer();
  issuer.publish(await publicJwk(pair, 'one'));
  const claims = { aud: 'shop', sub: 'repo:acme/shop:*' };
  platform = await startPlatform({
    clock,
    reaches: [issuer.url],
    controllers: [{ id: 'ctrl', issuer: issuer.url, claims: { aud: 'platform' } }],
    accounts: [{ uid: 'sa-1', email: EMAIL, project: 'shop', issuerUrl: issuer.url, claims }],
  });
});

afterEach(async () => {
  await Promise.all([platform.close(), issuer.close()]);
});

describe('POST /api/v1/auth/token', () => {
  it('exchanges a token of a discovered issuer, sent as JSON', async () => {
    const answer = await request(platform.publicUrl)
      .post(PATH)
      .send(await body())
      .expect(200);
    expect(answer.body).toEqual({
      access_token: expect.any(String),
      token_type: 'Bearer',
      issued_token_type: 'urn:ietf:params:oauth:token-type:jwt',
      expires_in: 600,
    });
    expect(answer.headers['cache-control']).toBe('no-store');
    const principal = await platform.authenticator.bearer(answer.body.access_token);
    expect(principal).toEqual({ type: 'service_account', uid: 'sa-1', email: EMAIL, project: 'shop' });
  });

  it('exchanges a token sent as a form', async () => {
    await request(platform.publicUrl)
      .post(PATH)
      .type('form')
      .send(await body())
      .expect(200);
  });

  it("exchanges a controller's token without an identity", async () => {
    const subject_token = await sign({ aud: ['x', 'platform'] });
    const answer = await request(platform.publicUrl)
      .post(PATH)
      .send(await body({ subject_token, identity: undefined }));
    expect(await platform.authenticator.bearer(answer.body.access_token)).toEqual({
      type: 'controller',
      id: 'ctrl',
    });
  });

  it("follows the rotation of the issuer's keys, and asks once for a flood of unknown ones", async () => {
    const post = async (subject_token: string) =>
      request(platform.publicUrl)
        .post(PATH)
        .send(await body({ subject_token }));
    expect((await post(await sign())).status).toBe(200);
    issuer.publish(await publicJwk(next, 'two'));
    expect((await post(await sign({}, next, 'two'))).status).toBe(200);
    const asked = issuer.requests.length;
    for (let i = 0; i < 20; i += 1) expect((await post(await sign({}, next, `x${i}`))).status).toBe(400);
    expect(issuer.requests).toHaveLength(asked);
    state.now += 30_000;
    expect((await post(await sign({}, next, 'y'))).status).toBe(400);
    expect(issuer.requests).toHaveLength(asked + 1);
  });

  it('never contacts an issuer that is not configured', async () => {
    const stranger = await startIssuer();
    stranger.publish(await publicJwk(pair, 'one'));
    const subject_token = await sign({ iss: stranger.url });
    await request(platform.publicUrl)
      .post(PATH)
      .send(await body({ subject_token }))
      .expect(400);
    expect(stranger.requests).toEqual([]);
    await stranger.close();
  });

  it('refuses every failure that depends on who asks with the same bytes', async () => {
    const failing = [
      await body({ identity: 'nobody@sa.platform.local' }),
      await body({ subject_token: await sign({ sub: 'other' }) }),
      await body({ subject_token: await sign({ exp: NOW - 60 }) }),
      await body({ subject_token: await sign({ iss: 'https://unknown.example' }) }),
      await body({ subject_token: await sign({}, next) }),
      await body({ identity: undefined }),
      await body({ subject_token: 'garbage' }),
    ];
    const answers = await Promise.all(
      failing.map((sent) => request(platform.publicUrl).post(PATH).send(sent)),
    );
    const shapes = answers.map(({ status, text, headers }) => {
      const { 'x-request-id': _id, date: _date, ...same } = headers as Record<string, string>;
      return JSON.stringify([status, text, same]);
    });
    expect(new Set(shapes).size).toBe(1);
    expect(answers[0]?.body).toEqual({
      error: 'invalid_grant',
      error_description: 'The subject token was not accepted',
    });
    expect(answers[0]?.headers['cache-control']).toBe('no-store');
  });

  it.each<[string, string, string]>([
    ['nothing', 'application/json', ''],
    ['no JSON', 'application/json', '{'],
    ['an array', 'application/json', '[]'],
    ['null', 'application/json', 'null'],
    ['another media type', 'text/plain', 'grant_type=x'],
    ['an empty form', 'application/x-www-form-urlencoded', ''],
    ['a parameter twice', 'application/x-www-form-urlencoded', 'grant_type=a&grant_type=b'],
    ['a parameter called __proto__', 'application/x-www-form-urlencoded', '__proto__=a'],
  ])('answers %s with invalid_request', async (_name, type, text) => {
    const answer = await request(platform.publicUrl)
      .post(PATH)
      .set('Content-Type', type)
      .send(text)
      .expect(400);
    expect(answer.body).toMatchObject({ error: 'invalid_request' });
    expect(answer.headers['content-type']).toMatch(/^application\/json/);
  });

  it('answers another grant with unsupported_grant_type', async () => {
    const answer = await request(platform.publicUrl).post(PATH).send({ grant_type: 'password' }).expect(400);
    expect(answer.body).toMatchObject({ error: 'unsupported_grant_type' });
  });

  it('repeats nothing of the request in its refusals', async () => {
    const sent = { ...(await body()), grant_type: 'canary-7f3a', subject_token: 'canary-7f3a' };
    const answer = await request(platform.publicUrl).post(PATH).send(sent).expect(400);
    expect(answer.text).not.toContain('canary');
  });
});

describe('POST /api/v1/auth/token, when the service itself is at its limits', () => {
  it('answers a body beyond the limit with 413 in the words of OAuth', async () => {
    const small = await startPlatform({ clock, bodyLimit: 1000 });
    const answer = await request(small.publicUrl)
      .post(PATH)
      .send({ subject_token: 'x'.repeat(2000) });
    expect([answer.status, answer.body.error]).toEqual([413, 'invalid_request']);
    await small.close();
  });

  it('does not answer invalid_grant while the accounts cannot be looked up', async () => {
    const broken = await startPlatform({
      clock,
      broken: new Problem('unavailable', 'The database cannot be reached.'),
    });
    const answer = await request(broken.publicUrl)
      .post(PATH)
      .send(await body());
    expect([answer.status, answer.body.error]).toEqual([503, 'temporarily_unavailable']);
    expect(answer.headers['retry-after']).toBe('1');
    await broken.close();
  });

  it('tells nothing about a fault of its own', async () => {
    const broken = await startPlatform({ clock, broken: new Error('password=hunter2') });
    const answer = await request(broken.publicUrl)
      .post(PATH)
      .send(await body());
    expect(answer.status).toBe(500);
    expect(answer.text).not.toContain('hunter2');
    expect(broken.log).toHaveLength(1);
    await broken.close();
  });
});
