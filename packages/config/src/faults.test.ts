import { faultsOf, rsa, secret, tls } from '../test/configuration.ts';

describe('faults', () => {
  it('are all told at once, each with its key', () => {
    expect(
      faultsOf({
        server: { listen: 'here', body_limit_bytes: 'much', cookie_secure: false, public_url: 'https://x/' },
        auth: { operator_users: 'me@example.com', controllers: [{ id: 'a b', color: 'red' }] },
        limits: { oauth_requests_per_minute: 0 },
        sever: {},
      }),
    ).toEqual([
      'sever: is not a known key',
      'server.listen: must be <address>:<port>, such as 127.0.0.1:8080',
      'server.public_url: must not end in a slash',
      'server.body_limit_bytes: must be a whole number',
      'auth.operator_users: must be a list',
      'auth.controllers[0].id: must be 1 to 253 printable characters without spaces',
      'auth.controllers[0].issuer: is required',
      'auth.controllers[0].claims: is required',
      'auth.controllers[0].color: is not a known key',
      'limits.oauth_requests_per_minute: must be a whole number, at least 1',
    ]);
  });

  it('never repeat a value, because it may be a secret', () => {
    const text = faultsOf({
      server: { jwt_signing_secret: 'hunter2', rs256_private_key_pem: 'hunter2' },
      database: { url: 'mysql://hunter2@db' },
      encryption: { keys: [{ id: 'k1', key: 'hunter2hunter2' }] },
      auth: { client_secret: ['hunter2'], issuer: 'hunter2' },
    }).join('\n');
    expect(text).toMatch(/^server\.jwt_signing_secret: must be base64 of at least 32 bytes$/m);
    expect(text).toMatch(/^encryption\.keys\[0\]\.key: must be base64 of exactly 32 bytes$/m);
    expect(text).not.toContain('hunter2');
  });

  const controller = { id: 'c', issuer: 'https://i.example', claims: { aud: 'platform' } };
  it.each<[string, unknown, string]>([
    ['a section that is no mapping', { server: 5 }, 'server: must be a mapping of keys'],
    ['a file that is no mapping', '- 1', 'the configuration file|must contain a YAML mapping'],
    ['listening on port 0', { server: { listen: '127.0.0.1:0' } }, 'server.listen: must be <address>'],
    ['a port beyond 65535', { server: { listen: '127.0.0.1:65536' } }, 'server.listen: must be <address>'],
    [
      'plain cookies with an https address',
      { server: { public_url: 'https://p.example', cookie_secure: false } },
      'server.cookie_secure: must be true when server.public_url is https',
    ],
    [
      'a request that must end before its headers',
      { server: { headers_timeout_seconds: 20, request_timeout_seconds: 10 } },
      'server.request_timeout_seconds: must not be less than server.headers_timeout_seconds',
    ],
    [
      'an address with a query',
      { server: { public_url: 'https://p.example?x' } },
      'server.public_url: must be',
    ],
    [
      'a short secret in the list',
      { server: { jwt_signing_secrets: [Buffer.alloc(32).toString('base64'), 'c2hvcnQ='] } },
      'server.jwt_signing_secrets[1]: must be base64 of at least 32 bytes',
    ],
    [
      'both ways of giving signing secrets',
      {
        server: {
          jwt_signing_secret: Buffer.alloc(32).toString('base64'),
          jwt_signing_secrets: [Buffer.alloc(32, 1).toString('base64')],
        },
      },
      'server.jwt_signing_secrets: cannot be used with server.jwt_signing_secret',
    ],
    [
      'a signing secret twice',
      { server: { jwt_signing_secrets: Array(2).fill(Buffer.alloc(32).toString('base64')) } },
      'server.jwt_signing_secrets[1]: repeats server.jwt_signing_secrets[0]',
    ],
    ['a short secret', { server: { jwt_signing_secret: 'c2hvcnQ=' } }, 'at least 32 bytes'],
    [
      'a bad CIDR',
      { server: { trusted_proxies: ['10.0.0.0/33'] } },
      'server.trusted_proxies[0]: must be a CIDR',
    ],
    ['a template without a name', { server: { project_url_template: 'http://x' } }, 'must contain {project}'],
    [
      'a template whose URLs no project may have',
      { server: { project_url_template: 'https://{project}.example./' } },
      'server.project_url_template: must not have a host that ends with a dot',
    ],
    [
      'login by halves',
      { auth: { issuer: 'https://i.example', client_id: 'platform' } },
      'auth.client_secret: is required together with auth.issuer, auth.client_id',
    ],
    ['login without openid', { auth: { scopes: ['email'] } }, 'auth.scopes: must include openid'],
    [
      'a controller without audience',
      { auth: { controllers: [{ ...controller, claims: { sub: 'x' } }] } },
      'auth.controllers[0].claims.aud: is required',
    ],
    [
      'a claim that is no pattern, dropped silently it would widen who matches',
      { auth: { controllers: [{ ...controller, claims: { aud: 'a', sub: null } }] } },
      'auth.controllers[0].claims.sub: must be a string, a number or a boolean',
    ],
    [
      'a claim that must equal an endless text',
      { auth: { controllers: [{ ...controller, claims: { aud: 'a'.repeat(1025) } }] } },
      'auth.controllers[0].claims.aud: must have at most 1024 characters',
    ],
    [
      'a claim that the schema would drop',
      'auth: { controllers: [{ id: c, issuer: "https://i.example", claims: { aud: a, __proto__: x } }] }',
      'auth.controllers[0].claims.__proto__: is not a known key',
    ],
    [
      'a claim without a name',
      { auth: { controllers: [{ ...controller, claims: { aud: 'a', '': 'x' } }] } },
      'auth.controllers[0].claims: must have names of 1 to 256 characters',
    ],
    [
      'more claims than a controller may have',
      {
        auth: {
          controllers: [
            {
              ...controller,
              claims: {
                aud: 'a',
                ...Object.fromEntries(Array.from({ length: 32 }, (_, i) => [`c${i}`, 'x'])),
              },
            },
          ],
        },
      },
      'auth.controllers[0].claims: must have at most 32 claims',
    ],
    [
      'an operator of a group without a name',
      { auth: { operator_users: [{ group: '' }] } },
      'auth.operator_users[0].group: must not be empty',
    ],
    [
      'one address for two listeners',
      { server: { listen: '127.0.0.1:8081', metrics_listen: '127.0.0.1:8081' } },
      'server.metrics_listen: repeats server.listen',
    ],
    [
      'one address for two listeners, spelled in two ways',
      { server: { listen: '[::1]:8081', metrics_listen: '[0:0::1]:8081' } },
      'server.metrics_listen: repeats server.listen',
    ],
    ...[
      ['0.0.0.0:8081', '127.0.0.1:8081'],
      ['localhost:8081', '0.0.0.0:8081'],
      ['[::]:8081', '127.0.0.1:8081'],
      ['[::1]:8081', '[::]:8081'],
      ['0.0.0.0:8081', '[::]:8081'],
    ].map(([listen, metrics_listen]): [string, unknown, string] => [
      `${listen} and ${metrics_listen}, which the operating system refuses`,
      { server: { listen, metrics_listen } },
      'server.metrics_listen: cannot use the port of server.listen: one of the two is a wildcard address, which takes the port of all addresses',
    ]),
    [
      'a controller id twice',
      { auth: { controllers: [controller, controller] } },
      'auth.controllers[1].id: repeats auth.controllers[0].id',
    ],
    [
      'a controller that would write operator slots',
      { auth: { controllers: [{ ...controller, id: 'operator:me@example.com' }] } },
      'auth.controllers[0].id: must not begin with operator:',
    ],
    ...['user:me@example.com', 'serviceaccount:shop+ci@sa.platform.local'].map(
      (id): [string, unknown, string] => [
        `a controller that would write the slots of ${id}`,
        { auth: { controllers: [{ ...controller, id }] } },
        'auth.controllers[0].id: must not begin with operator:, user:, serviceaccount:',
      ],
    ),
    [
      'an encryption key id twice',
      { encryption: { keys: [1, 2].map(() => ({ id: 'k', key: secret })) } },
      'encryption.keys[1].id: repeats encryption.keys[0].id',
    ],
    [
      'a password with a % that begins no escape',
      { database: { url: 'postgres://u:50%off@db/p' } },
      'database.url: cannot be decoded: write %25 for a % in the user, password or database',
    ],
    [
      'a password with an escape that is no UTF-8',
      { database: { url: 'postgres://u:%ff@db/p' } },
      'database.url: cannot be decoded: write %25 for a % in the user, password or database',
    ],
    [
      'an encryption key of 33 bytes',
      { encryption: { keys: [{ id: 'k', key: Buffer.alloc(33).toString('base64') }] } },
      'encryption.keys[0].key: must be base64 of exactly 32 bytes',
    ],
    [
      'an exempt origin with a path',
      { outbound: { allow_insecure_origins: ['http://127.0.0.1:9/x'] } },
      'outbound.allow_insecure_origins[0]: must be an origin',
    ],
    [
      'an unknown log level',
      { log: { level: 'loud' } },
      'log.level: must be one of error, warn, info, debug',
    ],
    [
      'a bad organization name',
      { default_organization: { name: 'A_b' } },
      'default_organization.name: must be',
    ],
    [
      'a spec that no Organization may have',
      { default_organization: { spec: { displayName: 5, description: 'good', color: [1] } } },
      'default_organization.spec.displayName: must be a string',
    ],
  ])('include %s', (_, file, message) => {
    expect(faultsOf(file)).toEqual([expect.stringContaining(message.split('|').at(-1) ?? '')]);
  });

  it('include ids that are there twice in a list with other faults', () => {
    const bad = { ...controller, id: 'not an id' };
    expect(
      faultsOf({
        auth: { controllers: [controller, controller, bad] },
        encryption: { keys: [...[1, 2].map(() => ({ id: 'k', key: secret })), { id: 'l', key: 'short' }] },
      }),
    ).toEqual([
      expect.stringContaining('auth.controllers[2].id: '),
      expect.stringContaining('encryption.keys[2].key: '),
      'auth.controllers[1].id: repeats auth.controllers[0].id',
      'encryption.keys[1].id: repeats encryption.keys[0].id',
    ]);
  });

  it('include TLS without a certificate, a certificate that is none, and one of another key', () => {
    const withTls = (certificate?: string, key?: string) =>
      faultsOf({
        server: { tls_listen: '127.0.0.1:8444', tls_certificate_pem: certificate, tls_private_key_pem: key },
      });
    expect(withTls()).toEqual([
      'server.tls_certificate_pem: is required together with server.tls_listen',
      'server.tls_private_key_pem: is required together with server.tls_listen',
    ]);
    expect(withTls(tls.certificate)).toEqual([
      expect.stringContaining('server.tls_private_key_pem: is required'),
    ]);
    expect(withTls('-----BEGIN CERTIFICATE-----', '-----BEGIN PRIVATE KEY-----')).toEqual([
      'server.tls_certificate_pem: must be certificates in PEM',
      'server.tls_private_key_pem: must be the PEM of an unencrypted private key',
    ]);
    expect(withTls(tls.certificate, rsa().privatePem)).toEqual([
      'server.tls_private_key_pem: does not match server.tls_certificate_pem',
    ]);
    expect(withTls(tls.certificate, tls.privateKey)).toEqual([]);
  });

  it('include a public key of another private key, and a weak key', () => {
    const [one, other] = [rsa(), rsa()];
    expect(
      faultsOf({
        server: { rs256_private_key_pem: one.privatePem, rs256_public_key_pem: other.publicPem },
      }),
    ).toEqual(['server.rs256_public_key_pem: does not match server.rs256_private_key_pem']);
    expect(faultsOf({ server: { rs256_private_key_pem: rsa(1024).privatePem } })).toEqual([
      'server.rs256_private_key_pem: must be the PEM of an unencrypted RSA private key of at least 2048 bits',
    ]);
  });
});

it.each([
  ['postgres://me:secret@db.example/platform?sslmode=require', true],
  ['postgresql://db/platform', true],
  ['postgres://me@a.example:5432,b.example:5433/platform', true],
  ['postgres://me@[::1]:5432/platform', true],
  ['postgres://db:port/platform', false],
  ['postgres://a:5432,b:99999/platform', false],
  ['mysql://db/platform', false],
])('database.url %s is %s', (url, good) => {
  expect(faultsOf({ database: { url } })).toEqual(good ? [] : ['database.url: must be a postgres:// URL']);
});

it.each([
  ['primary', true],
  ['read-write', true],
  ['any', true],
  ['standby', false],
  ['read-only', false],
  ['prefer-standby', false],
])('database.url with target_session_attrs=%s is %s', (attributes, good) => {
  const url = `postgres://a,b/platform?sslmode=require&target_session_attrs=${attributes}`;
  const fault = 'database.url: target_session_attrs must be primary or read-write: the platform writes';
  expect(faultsOf({ database: { url } })).toEqual(good ? [] : [fault]);
});

it.each([
  ['verify-full', true],
  ['prefer', true],
  ['verify_full', false],
  ['no-verify', false],
])('database.url with sslmode=%s is %s', (mode, good) => {
  const url = `postgres://a/platform?sslmode=${mode}`;
  const fault = 'database.url: sslmode must be disable, prefer, require, verify-ca or verify-full';
  expect(faultsOf({ database: { url } })).toEqual(good ? [] : [fault]);
});

it.each([
  ['sslmode=verify-full&', true],
  ['sslmode=verify-ca&', true],
  ['sslmode=require&', false],
  ['', false],
])('database.url with %ssslrootcert is %s', (mode, good) => {
  const url = `postgres://a/platform?${mode}sslrootcert=/ca.pem`;
  expect(faultsOf({ database: { url } })).toEqual(
    good ? [] : ['database.url: sslrootcert needs sslmode=verify-full'],
  );
});
