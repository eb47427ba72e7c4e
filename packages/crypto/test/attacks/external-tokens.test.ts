import {
  createFixture,
  external,
  externalClaims,
  forge,
  ISSUER,
  issuerRsa,
  NOW,
  OTHER_ISSUER,
  otherRsa,
} from '../fixture.ts';

const refused = { code: 'unauthenticated' };
const account = { aud: 'shop', sub: 'repo:acme/shop:ref:main' };

describe('a raw token of a controller', () => {
  it('is that controller when exactly one entry matches', async () => {
    const { authenticator, events } = createFixture();
    expect(await authenticator.bearer(external())).toEqual({ type: 'controller', id: 'ctrl.example.com' });
    expect(events).toEqual([]);
  });

  it('is taken while raw tokens of service accounts are not', async () => {
    const { authenticator } = createFixture({ allowRawExternalTokens: false });
    expect(await authenticator.bearer(external())).toMatchObject({ type: 'controller' });
  });

  it("that fits two entries is nobody's", async () => {
    const { authenticator, controllers } = createFixture();
    controllers.push({ id: 'second', issuer: ISSUER, claims: { aud: 'plat*' } });
    await expect(authenticator.bearer(external())).rejects.toMatchObject(refused);
  });

  it('that fits two entries is no service account either', async () => {
    const { authenticator, controllers, accounts, events } = createFixture();
    controllers.push({ id: 'second', issuer: ISSUER, claims: { aud: 'plat*' } });
    accounts.push({
      uid: 'x',
      email: 'x',
      project: 'shop',
      issuerUrl: ISSUER,
      claims: { aud: 'platform', sub: '*' },
    });
    await expect(authenticator.bearer(external(), { project: 'shop' })).rejects.toMatchObject(refused);
    expect(events).toEqual([]);
  });

  it('is never the service account that a tenant registered on its claims', async () => {
    const { authenticator, accounts, events } = createFixture();
    accounts.push({
      uid: 'x',
      email: 'x',
      project: 'shop',
      issuerUrl: ISSUER,
      claims: { aud: 'platform', sub: '*' },
    });
    const principal = await authenticator.bearer(external(), { project: 'shop' });
    expect(principal).toMatchObject({ type: 'controller' });
    expect(events).toEqual([]);
  });

  it('of another issuer with the same claims is refused', async () => {
    const claims = externalClaims({ iss: OTHER_ISSUER });
    const token = forge({ alg: 'RS256', typ: 'JWT', kid: 'one' }, claims, otherRsa.privateKey);
    await expect(createFixture().authenticator.bearer(token)).rejects.toMatchObject(refused);
  });

  it('signed by one trusted issuer in the name of another is refused', async () => {
    const token = forge(
      { alg: 'RS256', typ: 'JWT', kid: 'one' },
      externalClaims({ iss: OTHER_ISSUER }),
      issuerRsa.privateKey,
    );
    await expect(createFixture().authenticator.bearer(token)).rejects.toMatchObject(refused);
  });
});

describe('a raw token of a service account', () => {
  it('is taken at the endpoints of its project, with one deprecation event a request', async () => {
    const { authenticator, events } = createFixture();
    const expected = {
      type: 'service_account',
      uid: 'sa-1',
      email: 'shop+ci@sa.platform.local',
      project: 'shop',
    };
    expect(await authenticator.bearer(external(account), { project: 'shop' })).toEqual(expected);
    expect(await authenticator.bearer(external(account), { project: 'shop' })).toEqual(expected);
    const event = { issuer: ISSUER, subject: 'repo:acme/shop:ref:main', audience: 'shop' };
    expect(events).toEqual([event, event]);
  });

  it.each([[undefined], ['other'], ['']])(
    'is refused where the path names the project %j',
    async (project) => {
      const { authenticator, events } = createFixture();
      await expect(authenticator.bearer(external(account), { project })).rejects.toMatchObject(refused);
      expect(events).toEqual([]);
    },
  );

  it('is refused once it must be exchanged', async () => {
    const reported: unknown[] = [];
    const onRefusedRawToken = (event: unknown) => reported.push(event);
    const { authenticator, events } = createFixture({ allowRawExternalTokens: false, onRefusedRawToken });
    const source = { sourceAddress: '192.0.2.1', userAgent: 'ci/1' };
    for (const project of ['shop', 'other', undefined])
      await expect(authenticator.bearer(external(account), { project, source })).rejects.toMatchObject(
        refused,
      );
    expect(events).toEqual([]);
    // Only where it would have been taken, and without the token.
    const owner = { project: 'shop', account: 'shop+ci@sa.platform.local', issuer: ISSUER };
    expect(reported).toEqual([{ ...owner, ...source }]);
  });

  it('that fits two accounts of the project is refused', async () => {
    const { authenticator, accounts } = createFixture();
    accounts.push({
      uid: 'x',
      email: 'x',
      project: 'shop',
      issuerUrl: ISSUER,
      claims: { aud: 'shop', sub: 'repo:*' },
    });
    await expect(authenticator.bearer(external(account), { project: 'shop' })).rejects.toMatchObject(refused);
  });

  it('is not disturbed by an account that another tenant registered on the same claims', async () => {
    const { authenticator, accounts } = createFixture();
    const [own] = accounts;
    accounts.push({ ...own, uid: 'thief', email: 'thief', project: 'thief' } as (typeof accounts)[number]);
    const principal = await authenticator.bearer(external(account), { project: 'shop' });
    expect(principal).toMatchObject({ uid: 'sa-1', project: 'shop' });
  });

  it.each([
    ['an issuer that the directory answered too broadly for', { issuerUrl: OTHER_ISSUER }],
    ['a project that the directory answered too broadly for', { project: 'other' }],
    ['no required audience', { claims: { sub: '*' } }],
  ])('is refused for an account with %s', async (_name, more) => {
    const fixture = createFixture();
    const [own] = fixture.accounts;
    const loose = { ...own, ...more } as (typeof fixture.accounts)[number];
    fixture.deps.serviceAccounts.listByIssuer = async () => [loose];
    await expect(fixture.authenticator.bearer(external(account), { project: 'shop' })).rejects.toMatchObject(
      refused,
    );
  });
});

describe('the times of an external token', () => {
  const at = async (seconds: number, claims: Record<string, unknown>) => {
    const { authenticator, state } = createFixture();
    const token = external(claims);
    state.now = seconds * 1000;
    return authenticator.bearer(token).then(
      () => 'accepted',
      () => 'refused',
    );
  };

  it('allow an expiry 30 seconds ago, and not one more', async () => {
    const claims = { exp: NOW };
    expect([await at(NOW + 29, claims), await at(NOW + 30, claims)]).toEqual(['accepted', 'refused']);
  });

  it('allow a beginning in 30 seconds, and not one more', async () => {
    const claims = { nbf: NOW + 30, exp: NOW + 600 };
    expect([await at(NOW, claims), await at(NOW - 1, claims)]).toEqual(['accepted', 'refused']);
  });

  it.each([
    [
      'issued long ago, with an expiry in years',
      { iat: NOW - 3_700, exp: NOW + 9 * 365 * 86_400 },
      'refused',
    ],
    ['without a time of issue', { iat: undefined, exp: NOW + 600 }, 'refused'],
    ['issued an hour and the skew ago', { iat: NOW - 3_630, exp: NOW + 600 }, 'refused'],
    ['issued an hour ago', { iat: NOW - 3_600, exp: NOW + 600 }, 'accepted'],
  ])('limit its age where the configuration says so: %s', async (_name, claims, expected) => {
    const limited = createFixture({ maxAgeSeconds: 3_600 });
    const answer = limited.authenticator.bearer(external(claims)).then(
      () => 'accepted',
      () => 'refused',
    );
    expect(await answer).toBe(expected);
    await expect(createFixture().authenticator.bearer(external(claims))).resolves.toMatchObject({
      type: 'controller',
    });
  });

  it('allow a time of issue in 30 seconds, and not one more', async () => {
    const claims = { iat: NOW + 30, exp: NOW + 600 };
    expect([await at(NOW, claims), await at(NOW - 1, claims)]).toEqual(['accepted', 'refused']);
  });

  it.each([[undefined], [null], ['9999999999'], [Number.NaN]])('need an expiry, not %j', async (exp) => {
    expect(await at(NOW, { exp })).toBe('refused');
  });

  const noDates = [null, 'now', String(NOW), true, {}, [NOW], -1, -1e300, 1e300, NOW * 1000, 253_402_300_800];
  it.each(['exp', 'nbf', 'iat'])('are dates where they are there at all: %s', async (name) => {
    for (const value of noDates)
      expect([value, await at(NOW, { [name]: value })]).toEqual([value, 'refused']);
  });

  it.each([
    ['an expiry at the end of 9999', { exp: 253_402_300_799 }],
    ['fractions of a second', { iat: NOW - 0.5, nbf: NOW - 0.5, exp: NOW + 0.5 }],
    ['a beginning in 1970', { nbf: 0, iat: 0 }],
    ['no time of issue', { iat: undefined }],
  ])('may be %s', async (_name, claims) => {
    expect(await at(NOW, claims)).toBe('accepted');
  });
});

describe('what an external token is', () => {
  it.each([['JWT'], ['jwt'], ['at+jwt'], ['application/at+jwt'], ['JOSE'], [undefined]])(
    'typ %j is taken',
    async (typ) => {
      expect(await createFixture().authenticator.bearer(external({}, { typ }))).toMatchObject({
        type: 'controller',
      });
    },
  );

  it.each([['logout+jwt'], ['secevent+jwt'], ['platform-access+jwt'], ['dpop+jwt'], [''], [null], [7], [{}]])(
    'typ %j is refused: such a token does not say who calls',
    async (typ) => {
      await expect(createFixture().authenticator.bearer(external({}, { typ }))).rejects.toMatchObject(
        refused,
      );
    },
  );

  it('a token as long as the limit is verified, a longer one is not even read', async () => {
    const { authenticator, asked } = createFixture();
    await expect(authenticator.bearer(external({ padding: 'x'.repeat(8000) }))).rejects.toMatchObject(
      refused,
    );
    await expect(authenticator.bearer('x'.repeat(5_000_000))).rejects.toMatchObject(refused);
    expect(asked).toEqual([]);
    expect(await authenticator.bearer(external({ padding: 'x'.repeat(5000) }))).toMatchObject({
      type: 'controller',
    });
  });

  it.each(['', '.', '..', 'a.b', 'a.b.c', 'null', '{}', '\u0000', '\u{1F600}.\u{1F600}.\u{1F600}'])(
    '%j is refused',
    async (token) => {
      await expect(createFixture().authenticator.bearer(token)).rejects.toMatchObject(refused);
    },
  );

  it.each([
    'https://a/\u0000',
    'https://a b',
    'https://\ud800',
    `https://${'a'.repeat(3000)}`,
    '',
    ['https://a'],
  ])('an issuer that is no URL is looked up nowhere: %j', async (iss) => {
    const { authenticator, asked } = createFixture();
    await expect(authenticator.bearer(external({ iss }))).rejects.toMatchObject(refused);
    expect(asked).toEqual([]);
  });

  it.each(['\u0000', 'Shop', 'shop/../other', '', 'a'.repeat(64)])(
    'accounts of a project that cannot be called %j are looked up nowhere',
    async (project) => {
      const fixture = createFixture();
      fixture.deps.serviceAccounts.listByIssuer = () => Promise.reject(new Error('the test must not look'));
      await expect(fixture.authenticator.bearer(external(account), { project })).rejects.toMatchObject(
        refused,
      );
    },
  );

  it('a duplicate claim is refused although the issuer signed it', async () => {
    const { authenticator } = createFixture();
    const claims = JSON.stringify(externalClaims()).replace('{', '{"sub":"somebody",');
    const token = forge({ alg: 'RS256', typ: 'JWT', kid: 'one' }, claims, issuerRsa.privateKey);
    await expect(authenticator.bearer(token)).rejects.toMatchObject(refused);
  });
});
