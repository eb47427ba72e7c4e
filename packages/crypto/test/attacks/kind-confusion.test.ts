import { issuedKinds } from '@platform/tokens';
import {
  createFixture,
  external,
  forge,
  issuerRsa,
  ring,
  rsa,
  secretBytes,
  sessionClaims,
} from '../fixture.ts';
import { issueFor, kindNames, verify } from '../kinds.ts';

const { tokens, authenticator } = createFixture();
const everyPair = kindNames.flatMap((made) => kindNames.map((taken) => [made, taken] as const));

describe('no token is accepted as another kind', () => {
  it.each(everyPair)('a genuine %s token presented as %s', (made, taken) => {
    const result = verify(taken, issueFor(tokens, made));
    if (made === taken) expect(result).toBe('accepted');
    else expect(['algorithm', 'type', 'shape']).toContain(result);
  });

  it.each(kindNames)('an external token presented as %s', (taken) => {
    expect(verify(taken, external())).not.toBe('accepted');
  });

  it.each(kindNames)('a genuine %s token presented as an external one', async (made) => {
    const trustsItself = createFixture({
      externalKeys: {
        find: async () => ({ kid: 'x', pem: String(rsa.publicKey.export({ format: 'pem', type: 'spki' })) }),
      },
    });
    trustsItself.controllers.push({ id: 'self', issuer: 'https://platform.example', claims: { aud: '*' } });
    const bearer = trustsItself.authenticator.bearer(issueFor(tokens, made), { project: 'shop' });
    if (made === 'session') await expect(bearer).resolves.toMatchObject({ type: 'operator' });
    else if (made === 'access') await expect(bearer).resolves.toMatchObject({ id: 'ctrl.example.com' });
    else await expect(bearer).rejects.toMatchObject({ code: 'unauthenticated' });
  });

  it.each(['ingress', 'workload', 'id'] as const)(
    'the API takes no %s token, although the platform signed it',
    async (made) => {
      const bearer = authenticator.bearer(issueFor(tokens, made), { project: 'shop' });
      await expect(bearer).rejects.toMatchObject({ code: 'unauthenticated' });
    },
  );

  it.each(['access', 'ingress', 'workload', 'id'] as const)('a cookie holds no %s token', async (made) => {
    const token = issueFor(tokens, made);
    await expect(authenticator.session(token)).rejects.toThrow('credentials');
  });

  it('a cookie holds no access token that a bearer has used before', async () => {
    const token = issueFor(tokens, 'access');
    await authenticator.bearer(token);
    await expect(authenticator.session(token)).rejects.toThrow('credentials');
  });
});

describe('typ, iss and aud', () => {
  const header = { alg: 'HS256', typ: 'JWT' };

  it.each([
    ['another issuer', { iss: 'https://attacker.example' }, 'issuer'],
    ['the issuer with a slash', { iss: 'https://platform.example/' }, 'issuer'],
    ['an array of issuers', { iss: ['https://platform.example'] }, 'issuer'],
    ['no issuer', { iss: undefined }, 'issuer'],
    ['another audience', { aud: 'https://attacker.example' }, 'audience'],
    ['the audience among others', { aud: ['https://platform.example', 'x'] }, 'audience'],
    ['the audience as an array', { aud: ['https://platform.example'] }, 'audience'],
    ['no audience', { aud: undefined }, 'audience'],
    ['a principal', { principal: { type: 'controller', id: 'x' } }, 'shape'],
    ['a token_use', { token_use: 'ingress' }, 'shape'],
    ['no subject', { sub: undefined }, 'shape'],
    ['an empty subject', { sub: '' }, 'shape'],
    ['a subject with a NUL', { sub: 'user\u0000' }, 'shape'],
    ['an e-mail address with a NUL', { email: '\u0000user@example.com' }, 'shape'],
    ['a session id with a NUL', { sid: '\u0000' }, 'shape'],
    ['a subject that is an object', { sub: { toString: 1 } }, 'shape'],
    ['an e-mail address that is an array', { email: ['operator@example.com'] }, 'shape'],
    ['no expiry', { exp: undefined }, 'shape'],
    ['an expiry that is text', { exp: '9999999999' }, 'shape'],
    ['an expiry that is null', { exp: null }, 'shape'],
    ['an expiry that never comes', { exp: 1e300 }, 'shape'],
    ['a time of issue that never comes', { iat: 1e300 }, 'shape'],
  ])('a session signed with the right secret, but with %s', (_name, more, refusal) => {
    expect(verify('session', forge(header, sessionClaims(more), secretBytes))).toBe(refusal);
  });

  it('an expiry beyond every number', () => {
    const claims = JSON.stringify(sessionClaims({ exp: 7 })).replace('"exp":7', '"exp":1e999');
    expect(verify('session', forge(header, claims, secretBytes))).toBe('shape');
  });

  it.each(['at+jwt', 'platform-access+jwt', 'jwt', '', null, 7, ['JWT']])('a session with typ %j', (typ) => {
    expect(verify('session', forge({ alg: 'HS256', typ }, sessionClaims(), secretBytes))).toBe('type');
  });

  it('an access token whose typ was left out is no access token, and no session either', () => {
    const claims = sessionClaims({ sub: 'controller:x', principal: { type: 'controller', id: 'x' } });
    const token = forge({ alg: 'HS256' }, claims, secretBytes);
    expect([verify('access', token), verify('session', token)]).toEqual(['type', 'shape']);
  });

  it.each([
    ['a subject of somebody else', { sub: 'controller:a', principal: { type: 'controller', id: 'b' } }],
    ['a principal that nobody knows', { sub: 'controller:a', principal: { type: 'operator', id: 'a' } }],
    [
      'a principal with more than it may have',
      { sub: 'controller:a', principal: { type: 'controller', id: 'a', admin: true } },
    ],
    ['no principal', { sub: 'controller:a' }],
    ["a session's claims", {}],
  ])('an access token with %s', (_name, more) => {
    const token = forge({ alg: 'HS256', typ: 'platform-access+jwt' }, sessionClaims(more), secretBytes);
    expect(verify('access', token)).toBe('shape');
  });

  it('a workload token whose subject is of another project than its claims', () => {
    const claims = sessionClaims({
      sub: 'platform:proj:victim:env:production',
      project: 'shop',
      project_uid: 'p',
      environment: 'production',
      deployment: 'd',
      nbf: 0,
      token_use: 'workload',
    });
    const token = forge({ alg: 'RS256', typ: 'JWT', kid: ring.kid }, claims, rsa.privateKey);
    expect(verify('workload', token)).toBe('shape');
  });

  it('a workload of a project whose name would read as another environment is never signed', () => {
    const input = { project: 'a:env:b', projectUid: 'p', environment: 'c', deployment: 'd', audience: 'x' };
    expect(() => tokens.issue(issuedKinds.workload, input)).toThrow(RangeError);
  });

  it("claims of an identity provider never replace the platform's own", async () => {
    const claims = {
      iss: 'x',
      aud: 'x',
      sub: 'root',
      email: 'operator@example.com',
      exp: 9e9,
      iat: 0,
      nbf: 9e9,
      jti: 'x',
      principal: { type: 'controller', id: 'x' },
      token_use: 'ingress',
      name: 'Ann',
    };
    const { token } = tokens.issue(issuedKinds.session, { uid: 'user-1', email: 'user@example.com', claims });
    expect(verify('session', token)).toBe('accepted');
    expect(await authenticator.session(token)).toMatchObject({
      type: 'user',
      uid: 'user-1',
      email: 'user@example.com',
    });
  });

  it('an external issuer that signs what looks like a session of the platform', async () => {
    const token = forge({ alg: 'RS256', typ: 'JWT', kid: 'one' }, sessionClaims(), issuerRsa.privateKey);
    await expect(authenticator.bearer(token)).rejects.toMatchObject({ code: 'unauthenticated' });
  });
});
