import { generateKeyPairSync } from 'node:crypto';
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { stringify } from 'yaml';
import { ConfigError, generatedEnvironment, type LoadOptions, loadConfig } from './index.ts';

const secret = Buffer.alloc(32, 7).toString('base64');
// Keys take a while to generate: made once, and handed to every test but those about generating.
const { privatePem: signingKey } = rsa();
const notGiven = { PLATFORM__SERVER__RS256_PRIVATE_KEY_PEM: '' };
let kept: string;
let cwd: string;

beforeAll(() => {
  kept = mkdtempSync(join(tmpdir(), 'config-'));
  loadConfig({ cwd: kept, env: {} });
});

beforeEach(() => {
  cwd = mkdtempSync(join(tmpdir(), 'config-'));
  mkdirSync(join(cwd, '.platform'));
  cpSync(join(kept, '.platform', 'secrets.yaml'), join(cwd, '.platform', 'secrets.yaml'));
});

afterEach(() => rmSync(cwd, { recursive: true }));
afterAll(() => rmSync(kept, { recursive: true }));

function load(file?: unknown, env: Record<string, string> = {}, options: LoadOptions = {}) {
  if (file !== undefined) {
    writeFileSync(join(cwd, 'given.yaml'), typeof file === 'string' ? file : stringify(file));
  }
  const hasKey = JSON.stringify(file ?? '').includes('rs256_private_key_pem');
  const given = hasKey ? {} : { PLATFORM__SERVER__RS256_PRIVATE_KEY_PEM: signingKey };
  const named = file === undefined ? given : { ...given, PLATFORM_CONFIG: 'given.yaml' };
  return loadConfig({ cwd, env: { ...named, ...env }, ...options });
}

function faultsOf(file?: unknown, env: Record<string, string> = {}): string[] {
  try {
    load(file, env);
  } catch (error) {
    if (error instanceof ConfigError) return error.message.split('\n');
    throw error;
  }
  return [];
}

function rsa(modulusLength = 2048) {
  const pair = generateKeyPairSync('rsa', { modulusLength });
  return {
    privatePem: pair.privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
    publicPem: pair.publicKey.export({ type: 'spki', format: 'pem' }).toString(),
  };
}

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
      'server.public_url: the file /gone cannot be read',
    ]);
  });
});

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
      'a controller id twice',
      { auth: { controllers: [controller, controller] } },
      'auth.controllers[1].id: repeats auth.controllers[0].id',
    ],
    [
      'a controller that would write operator slots',
      { auth: { controllers: [{ ...controller, id: 'operator:me@example.com' }] } },
      'auth.controllers[0].id: must not begin with operator:',
    ],
    [
      'an encryption key id twice',
      { encryption: { keys: [1, 2].map(() => ({ id: 'k', key: secret })) } },
      'encryption.keys[1].id: repeats encryption.keys[0].id',
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
  ])('include %s', (_, file, message) => {
    expect(faultsOf(file)).toEqual([expect.stringContaining(message.split('|').at(-1) ?? '')]);
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

describe('generated secrets', () => {
  it('are kept for the owner only and found again by the next start', () => {
    rmSync(join(cwd, '.platform'), { recursive: true });
    const first = load(undefined, notGiven);
    expect(statSync(join(cwd, '.platform', 'secrets.yaml')).mode & 0o777).toBe(0o600);
    const second = load(undefined, notGiven);
    expect(second.server.jwt_signing_secrets).toEqual(first.server.jwt_signing_secrets);
    expect(second.server.rs256_private_key_pem).toBe(first.server.rs256_private_key_pem);
    expect(second.encryption).toEqual(first.encryption);
    expect(first.warnings).toEqual([]);
  });

  it('with a file: a new RS256 pair at each start, with a warning, and the rest kept', () => {
    const [first, second] = [load({}, notGiven), load({}, notGiven)];
    expect(second.server.jwt_signing_secrets).toEqual(first.server.jwt_signing_secrets);
    expect(second.server.rs256_private_key_pem).not.toBe(first.server.rs256_private_key_pem);
    expect(first.warnings).toEqual([expect.stringMatching(/^server\.rs256_private_key_pem: not configured/)]);
  });

  it('reach child processes unchanged', () => {
    const parent = load({}, notGiven);
    const child = load({}, generatedEnvironment(parent));
    expect(child.server).toEqual(parent.server);
    expect(child.encryption).toEqual(parent.encryption);
    expect(child.origin.generated).toEqual([]);
  });

  it('are refused in production with an external database, where replicas could not share them', () => {
    const file = { database: { url: 'postgres://db/platform' } };
    const server = { PLATFORM__SERVER__PUBLIC_URL: 'https://platform.example.com' };
    expect(faultsOf(file, { ...server, NODE_ENV: 'production' })).toEqual([
      'server.jwt_signing_secret: is required in production with an external database',
      'encryption.keys: is required in production with an external database',
    ]);
    expect(load(file, notGiven).warnings).toHaveLength(3);
  });

  it('are not needed with a list of signing secrets', () => {
    const secrets = [1, 2].map((fill) => Buffer.alloc(32, fill).toString('base64'));
    const config = load({ server: { jwt_signing_secrets: secrets } }, notGiven);
    expect(config.server.jwt_signing_secrets).toEqual(secrets);
    expect(config.origin.generated).not.toContain('server.jwt_signing_secret');
  });

  it('stop the start when their file is damaged, rather than being replaced', () => {
    writeFileSync(join(cwd, '.platform', 'secrets.yaml'), 'jwt_signing_secret: x\n');
    expect(faultsOf()).toEqual([expect.stringMatching(/secrets\.yaml is damaged/)]);
    expect(readFileSync(join(cwd, '.platform', 'secrets.yaml'), 'utf8')).toBe('jwt_signing_secret: x\n');
  });
});

describe('warnings', () => {
  it.each([
    [['0.0.0.0/0'], 1],
    [['10.0.0.0/8', '::/0'], 1],
    [['10.0.0.0/8', 'fd00::/8', '192.0.2.1/32'], 0],
  ])('name trusted_proxies %j that trust everybody', (trusted_proxies, count) => {
    const about = load({ server: { trusted_proxies } }).warnings.filter((text) =>
      text.startsWith('server.trusted_proxies: '),
    );
    expect(about).toHaveLength(count);
  });

  it.each([
    ['postgres://me:secret@db.example/platform', true],
    ['postgres://me:secret@db.example/platform?sslmode=require', true],
    ['postgres://10.0.0.7:5432/platform', true],
    ['postgres://127.0.0.1,b.example/platform', true],
    ['postgres://db.example/platform?sslmode=verify-full', false],
    ['postgres://a.example,b.example/platform?target_session_attrs=primary&sslmode=verify-full', false],
    ['postgres://me:secret@127.0.0.1:5432/platform', false],
    ['postgres://[::1]:5432/platform', false],
    ['postgres://postgres/platform', false],
  ])('name a database that others can pose as, without its password: %s %s', (url, warned) => {
    const about = load({ database: { url } }).warnings.filter((text) => text.startsWith('database.url: '));
    expect(about).toEqual(warned ? [expect.stringContaining('sslmode=verify-full is not set')] : []);
    expect(about.join()).not.toContain('secret');
  });

  it('name an issuer whose keys will not be fetched', () => {
    const auth = { controllers: [{ id: 'c', issuer: 'http://127.0.0.1:9', claims: { aud: 'p' } }] };
    expect(load({ auth }).warnings).toEqual([
      expect.stringMatching(/^http:\/\/127\.0\.0\.1:9: is not https/),
    ]);
    const outbound = { allow_insecure_origins: ['http://127.0.0.1:9'] };
    expect(load({ auth, outbound }).warnings).toEqual([]);
  });
});
