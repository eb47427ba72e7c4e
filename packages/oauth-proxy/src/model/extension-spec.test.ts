import { mustResendSecret, readExtensionSpec } from './extension-spec.ts';

const policy = { insecureOrigins: ['http://127.0.0.1:4000'] };
const good = {
  provider_name: 'Example',
  client_id: 'up',
  client_secret_encrypted: 'v1.x',
  issuer_url: 'https://idp.example',
};

describe('readExtensionSpec', () => {
  it('returns a good spec as it is', () => {
    const whole = {
      ...good,
      description: 'd',
      authorization_endpoint: 'https://idp.example/auth?access_type=offline',
      token_endpoint: 'https://idp.example/token',
      scopes: ['openid', 'https://scope.example/read'],
    };
    expect(readExtensionSpec(whole, policy).spec).toEqual(whole);
    expect(
      readExtensionSpec({ ...good, issuer_url: 'http://127.0.0.1:4000' }, policy).faults,
    ).toBeUndefined();
  });

  it.each([
    'http://idp.example',
    'idp.example',
    'https://user:pw@idp.example',
    'https://idp.example#x',
    'https://idp.example?x=1',
    'https://idp .example',
    'https:idp.example',
    'https:\\\\idp.example',
    'ftp://idp.example',
    'http://127.0.0.1:4001',
    '',
    7,
  ])('rejects issuer_url %j with the documented message', (issuerUrl) => {
    expect(readExtensionSpec({ ...good, issuer_url: issuerUrl }, policy).faults).toEqual([
      { path: '/issuer_url', message: 'Invalid issuer_url URL' },
    ]);
  });

  it('finds every fault', () => {
    const { faults } = readExtensionSpec(
      {
        provider_name: '',
        client_id: 'a\nb',
        token_endpoint: 'http://x.example',
        scopes: ['two words'],
        other: 1,
      },
      policy,
    );
    expect(faults?.map((fault) => fault.path).sort()).toEqual([
      '/client_id',
      '/issuer_url',
      '/other',
      '/provider_name',
      '/scopes/0',
      '/token_endpoint',
    ]);
  });

  it('refuses what is no object', () => {
    expect(readExtensionSpec([], policy).faults).toEqual([{ path: '', message: 'must be an object' }]);
    expect(readExtensionSpec(undefined, policy).faults).toHaveLength(1);
  });
});

describe('the members that narrow an extension down', () => {
  const policy = { insecureOrigins: [] };
  const spec = { provider_name: 'P', client_id: 'c', issuer_url: 'https://idp.example' };

  it('are kept as they are', () => {
    const narrow = {
      ...spec,
      redirect_uris: ['https://app.example/cb'],
      allow_localhost: false,
      client_type: 'confidential',
    };
    expect(readExtensionSpec(narrow, policy).spec).toEqual(narrow);
  });

  it('are refused all at once when they could not hold', () => {
    const wrong = {
      ...spec,
      redirect_uris: [
        'https://app.example/cb#x',
        'javascript:1',
        'https://user@app.example/',
        'https://app.example/?code=1',
      ],
      allow_localhost: 'no',
      client_type: 'public',
    };
    expect(readExtensionSpec(wrong, policy).faults?.map(({ path }) => path)).toEqual([
      '/redirect_uris/0',
      '/redirect_uris/1',
      '/redirect_uris/2',
      '/redirect_uris/3',
      '/allow_localhost',
      '/client_type',
    ]);
    expect(readExtensionSpec({ ...spec, redirect_uris: [] }, policy).faults).toHaveLength(1);
  });
});

describe('mustResendSecret', () => {
  const { client_secret_encrypted: _, ...stored } = good;

  it.each(['issuer_url', 'client_id', 'authorization_endpoint', 'token_endpoint'])(
    'asks again when %s changes',
    (field) => {
      expect(mustResendSecret(stored, { ...stored, [field]: 'https://evil.example' })).toBe(true);
    },
  );

  it('does not ask when only words or scopes change', () => {
    expect(
      mustResendSecret(stored, { ...stored, provider_name: 'Other', description: 'x', scopes: ['a'] }),
    ).toBe(false);
  });
});
