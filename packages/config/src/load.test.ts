import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { cwd, faultsOf, load, notGiven, rsa, secret, signingKey } from '../test/configuration.ts';

describe('where the configuration comes from', () => {
  it('is the development settings without a file: loopback, one operator who is admin', () => {
    const config = load();
    expect(config.origin).toMatchObject({ development: true, file: undefined });
    expect(config.server).toMatchObject({
      listen: { host: '127.0.0.1', port: 8080 },
      public_url: 'http://localhost:8080',
      cookie_secure: false,
    });
    expect(config.auth.operator_users).toEqual(['admin@platform.localhost']);
    expect(config.auth.admin_users).toEqual(['admin@platform.localhost']);
    expect(config.database).toEqual({
      data_dir: join(cwd, '.platform'),
      pool_max: 10,
      port: 0,
      read_timeout_ms: 5_000,
      write_timeout_ms: 9_000,
    });
  });

  it('gives the port for TLS of the development settings to a listener that is set', () => {
    const tlsListenWith = (env: Record<string, string>) => load(undefined, env).server.tls_listen;
    expect(tlsListenWith({})).toEqual({ host: '127.0.0.1', port: 8443 });
    expect(tlsListenWith({ PLATFORM__SERVER__LISTEN: '127.0.0.1:8443' })).toBeUndefined();
    expect(tlsListenWith({ PLATFORM__SERVER__METRICS_LISTEN: '[::1]:8443' })).toBeUndefined();
  });

  it('refuses the development settings in production', () => {
    expect(faultsOf(undefined, { NODE_ENV: 'production' })).toEqual([
      expect.stringMatching(/^PLATFORM_CONFIG: must name a configuration file/),
    ]);
  });

  it.each(['0.0.0.0:8080', '[::]:8080', '192.168.1.2:8080', '127.evil.example:8080', 'example.com:8080'])(
    'refuses the development settings on %s, where others could be anybody',
    (listen) => {
      expect(
        faultsOf(undefined, { PLATFORM__SERVER__LISTEN: listen, PLATFORM__COLLECTOR__LISTEN: listen }),
      ).toEqual([
        expect.stringMatching(/^server\.listen: must be a loopback address/),
        expect.stringMatching(/^collector\.listen: must be a loopback address/),
      ]);
      expect(load({}, { PLATFORM__SERVER__LISTEN: listen }).origin.development).toBe(false);
    },
  );

  it.each(['127.0.0.1:8080', '127.1.2.3:8080', '[::1]:8080', 'localhost:8080'])(
    'takes the development settings on %s',
    (listen) => expect(load(undefined, { PLATFORM__SERVER__LISTEN: listen }).origin.development).toBe(true),
  );

  it('asks in production for an https address and a signing key, and tells all faults at once', () => {
    const production = { NODE_ENV: 'production', ...notGiven };
    expect(faultsOf({}, production)).toEqual([
      'server.public_url: must be given and be https when NODE_ENV is production',
      'server.rs256_private_key_pem: is required in production',
    ]);
    const server = { public_url: 'http://platform.example.com', jwt_expiry_seconds: 0 };
    expect(faultsOf({ server }, production)).toEqual([
      'server.jwt_expiry_seconds: must be a whole number, at least 1',
      'server.public_url: must be given and be https when NODE_ENV is production',
      'server.rs256_private_key_pem: is required in production',
    ]);
    const good = { public_url: 'https://platform.example.com', rs256_private_key_pem: signingKey };
    expect(load({ server: good }, { NODE_ENV: 'production' }).server.cookie_secure).toBe(true);
  });

  it('finds platform.yaml in the working directory, and PLATFORM_CONFIG before it', () => {
    writeFileSync(join(cwd, 'platform.yaml'), 'log: { level: warn }');
    expect(load().log.level).toBe('warn');
    expect(load({ log: { level: 'debug' } }).log.level).toBe('debug');
  });

  it('names a file that is not there, instead of starting with other settings', () => {
    expect(faultsOf(undefined, { PLATFORM_CONFIG: '/nowhere/at.yaml' })).toEqual([
      '/nowhere/at.yaml: the configuration file cannot be read (ENOENT)',
    ]);
  });

  it.each(['', '# nothing\n', 'server:\nauth: {}\nlog: { level: }\n'])(
    'takes a file without values (%j) as all defaults, without the development operator',
    (text) => {
      const config = load(text);
      expect(config.origin.development).toBe(false);
      expect(config.auth.operator_users).toEqual([]);
      expect(config.log).toEqual({ level: 'info', format: 'json' });
    },
  );

  it('tells the place of a syntax error and nothing of the source', () => {
    const [fault] = faultsOf('server:\n  jwt_signing_secret: "hunter2\n');
    expect(fault).toMatch(/given\.yaml:\d+:\d+: is not valid YAML \([A-Z_]+\)$/);
    expect(fault).not.toContain('hunter2');
  });
});

describe('overrides by environment', () => {
  it('win over the file, and are YAML', () => {
    const config = load(
      { server: { public_url: 'http://file.example', trusted_proxies: ['10.0.0.0/8'] } },
      {
        PLATFORM__SERVER__PUBLIC_URL: 'http://env.example',
        PLATFORM__SERVER__BODY_LIMIT_BYTES: '2048',
        PLATFORM__AUTH__OPERATOR_USERS: '[a@example.com, b@example.com]',
        PLATFORM__AUTH__ALLOW_RAW_EXTERNAL_TOKENS: 'false',
      },
    );
    expect(config.server).toMatchObject({ public_url: 'http://env.example', body_limit_bytes: 2048 });
    expect(config.server.trusted_proxies).toEqual(['10.0.0.0/8']);
    expect(config.auth.operator_users).toEqual(['a@example.com', 'b@example.com']);
    expect(config.auth.allow_raw_external_tokens).toBe(false);
  });

  it('reach into lists, and a key beats its whole section', () => {
    const config = load(undefined, {
      PLATFORM__AUTH: '{ operator_users: [x@example.com], scopes: [openid] }',
      PLATFORM__AUTH__SCOPES: '[openid, email]',
      PLATFORM__AUTH__CONTROLLERS__0__ID: 'c.example.com',
      PLATFORM__AUTH__CONTROLLERS__0__ISSUER: 'https://issuer.example',
      PLATFORM__AUTH__CONTROLLERS__0__CLAIMS__AUD: 'platform',
    });
    expect(config.auth.scopes).toEqual(['openid', 'email']);
    expect(config.auth.controllers).toEqual([
      { id: 'c.example.com', issuer: 'https://issuer.example', claims: { aud: 'platform' }, read: false },
    ]);
  });

  it('keep the case of a level with small letters where the platform does not name the keys', () => {
    const config = load(undefined, {
      PLATFORM__Server__Body_Limit_Bytes: '2048',
      PLATFORM__DEFAULT_ORGANIZATION__SPEC__displayName: 'Acme',
      PLATFORM__DEFAULT_ORGANIZATION__SPEC__TIER: 'gold',
      PLATFORM__DEFAULT_ORGANIZATION__SPEC__limits__maxUsers: '5',
      PLATFORM__DEFAULT_ORGANIZATION__ANNOTATIONS__costCenter: 'a7',
    });
    expect(config.server.body_limit_bytes).toBe(2048);
    expect(config.default_organization).toMatchObject({
      annotations: { costCenter: 'a7' },
      spec: { displayName: 'Acme', tier: 'gold', limits: { maxUsers: 5 } },
    });
  });

  it.each([
    ['an all-digits id', '12345678901234567890'],
    ['what YAML calls an alias', '*not-an-alias'],
    ['what YAML calls a tag', '!bang'],
    ['text over several lines', 'one\ntwo\n'],
  ])('take %s as it stands where the key takes a string', (_, text) => {
    const config = load(undefined, {
      PLATFORM__AUTH__ISSUER: 'https://idp.example',
      PLATFORM__AUTH__CLIENT_ID: 'platform',
      PLATFORM__AUTH__CLIENT_SECRET: text,
    });
    expect(config.auth.client_secret).toBe(text);
  });

  it('unset a key when they are empty', () => {
    expect(load({ database: { port: 5 } }, { PLATFORM__DATABASE__PORT: '' }).database.port).toBe(0);
  });

  it('are faulted by name when they are not YAML or no key', () => {
    expect(faultsOf({}, { PLATFORM__LOG: '{', PLATFORM__NO__SUCH: '1', PLATFORM____X: '1' })).toEqual([
      'PLATFORM__LOG: is not valid YAML',
      'PLATFORM____X: has an empty level in its name',
      'no: is not a known key',
    ]);
  });
});

describe('references', () => {
  it('are filled in from variables and files, several in one value', () => {
    writeFileSync(join(cwd, 'secret'), `${secret}\n`);
    const config = load(
      {
        database: { url: 'postgres://${env:DB_USER}:${env:DB_PASSWORD}@db/platform', port: '${env:DB_PORT}' },
        server: { jwt_signing_secret: `\${file:${join(cwd, 'secret')}}` },
      },
      { DB_USER: 'me', DB_PASSWORD: 'p${env:DB_USER}', DB_PORT: '5433' },
    );
    expect(config.database).toMatchObject({ url: 'postgres://me:p${env:DB_USER}@db/platform', port: 5433 });
    expect(config.server.jwt_signing_secrets).toEqual([secret]);
  });

  it('can be written literally with a second dollar', () => {
    const config = load({ default_organization: { annotations: { note: '$${env:HOME}' } } });
    expect(config.default_organization.annotations).toEqual({ note: '${env:HOME}' });
  });

  it('that lead nowhere are faults of their key, told once', () => {
    expect(faultsOf({ server: { jwt_signing_secret: '${env:GONE}', public_url: '${file:/gone}' } })).toEqual([
      'server.jwt_signing_secret: the variable GONE is not set',
      'server.public_url: the file /gone cannot be read (ENOENT)',
    ]);
  });
});

describe('defaults that depend on something', () => {
  it('public_url follows the port, cookie_secure follows public_url', () => {
    const plain = load({ server: { listen: '[::1]:9000' } }).server;
    expect(plain).toMatchObject({ listen: { host: '::1', port: 9000 }, public_url: 'http://localhost:9000' });
    expect(load({ server: { public_url: 'https://p.example' } }).server.cookie_secure).toBe(true);
  });

  it.each([
    ['0.24.0', true],
    ['0.24.9-rc.1', true],
    ['0.25.0', false],
    ['0.25.0-beta.1', false],
    ['1.0.0', false],
  ])('allow_raw_external_tokens in version %s is %s', (version, expected) => {
    expect(load({}, {}, { version }).auth.allow_raw_external_tokens).toBe(expected);
    expect(
      load({ auth: { allow_raw_external_tokens: !expected } }, {}, { version }).auth
        .allow_raw_external_tokens,
    ).toBe(!expected);
  });

  it('takes the public key from the private one', () => {
    const { privatePem, publicPem } = rsa();
    const { server } = load({ server: { rs256_private_key_pem: privatePem } });
    expect(server.rs256_public_key_pem).toBe(publicPem);
  });
});
