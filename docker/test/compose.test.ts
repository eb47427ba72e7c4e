import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import {
  cpSync,
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { get } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { json } from 'node:stream/consumers';
import { loadConfig } from '@platform/config';
import { buildOnce, freePort } from '@platform/development/testing';
import { configIn, root, text, writeSecrets, yaml } from './files.ts';

interface ComposeService {
  readonly build?: { readonly context: string; readonly dockerfile: string; readonly target: string };
  readonly volumes?: readonly string[];
  readonly secrets?: readonly string[];
  readonly networks: { readonly platform: { readonly ipv4_address: string } };
}

const compose = yaml<{
  'x-platform': { environment: { NODE_ENV: string } };
  readonly services: Readonly<Record<string, ComposeService>>;
  readonly secrets: Readonly<Record<string, unknown>>;
}>('compose/compose.yaml');
const services = Object.entries(compose.services);
const ours = services.filter(([, service]) => service.build !== undefined);
const directory = mkdtempSync(join(tmpdir(), 'platform-compose-'));
beforeAll(() => {
  writeSecrets(directory, 'postgres://unused');
});
afterAll(() => rmSync(directory, { recursive: true }));

const load = (secrets: string, env: Readonly<Record<string, string>> = {}) =>
  loadConfig({
    env: {
      PLATFORM_CONFIG: configIn('compose/config.yaml', '/run/secrets', secrets),
      NODE_ENV: compose['x-platform'].environment.NODE_ENV,
      AUTH_ISSUER: 'https://issuer.example',
      AUTH_CLIENT_ID: 'platform',
      OPERATOR_EMAIL: 'me@example.com',
      ...env,
    },
  });

/** The faults that dclint finds: everything that the schema of the Compose specification refuses, unknown keys included. */
function faultsOf(file: string): readonly string[] {
  const dclint = join(root, 'docker/node_modules/.bin/dclint');
  const { stdout, stderr } = spawnSync(dclint, ['--quiet', '--formatter', 'json', file], {
    encoding: 'utf8',
  });
  expect(stderr).toBe('');
  const reports: readonly { readonly messages: readonly { readonly message: string }[] }[] =
    JSON.parse(stdout);
  return reports.flatMap(({ messages }) => messages.map(({ message }) => message));
}

describe('docker/compose', () => {
  it('fits the schema of the Compose specification', () => {
    expect(faultsOf(join(root, 'docker/compose/compose.yaml'))).toEqual([]);
  });

  it.each([
    ['stop_grace_period: 20s', 'stop_grace_perid: 20s', '/services/api-1'],
    ['interval: 2s', 'intervall: 2s', '/services/postgres/healthcheck'],
    ['retries: 30', 'retries: [30]', '/services/postgres/healthcheck/retries'],
  ])('sees a fault in it: %s as %s', (right, wrong, named) => {
    const file = join(directory, 'compose.yaml');
    expect(text('compose/compose.yaml')).toContain(right);
    writeFileSync(file, text('compose/compose.yaml').replace(right, wrong));
    expect(faultsOf(file).join()).toContain(named);
  });

  it('runs two API replicas and two collectors, read-only and without capabilities', () => {
    expect(ours.map(([name]) => name).sort()).toEqual(['api-1', 'api-2', 'collector-1', 'collector-2']);
    for (const [, service] of ours) {
      expect(service).toMatchObject({ read_only: true, cap_drop: ['ALL'], restart: 'unless-stopped' });
      const { context = '', dockerfile = '', target } = service.build ?? {};
      expect(text('Dockerfile')).toContain(`FROM runtime AS ${target}
`);
      expect(existsSync(join(root, 'docker/compose', context, dockerfile))).toBe(true);
    }
  });

  it('runs the load balancer as an account that is not root, with nothing to write to but /tmp', () => {
    expect(compose.services['loadbalancer']).toMatchObject({
      user: expect.stringMatching(/^[1-9]\d*:[1-9]\d*$/),
      read_only: true,
      tmpfs: ['/tmp'],
      cap_drop: ['ALL'],
    });
    const places = [...text('compose/nginx.conf').matchAll(/^\s*(?:pid|\w+_temp_path) (.*);$/gm)];
    expect(places.map((match) => match[1]).filter((place) => !place?.startsWith('/tmp/'))).toEqual([]);
    expect(places.length).toBe(6);
  });

  it('mounts files that exist', () => {
    const mounts = services.flatMap(([, service]) => service.volumes ?? []);
    const files = mounts.filter((mount) => mount.startsWith('./')).map((mount) => mount.split(':')[0]);
    expect(new Set(files)).toEqual(new Set(['./config.yaml', './nginx.conf']));
    for (const file of files) expect(existsSync(join(root, 'docker/compose', file as string))).toBe(true);
  });

  it('has a configuration that both processes accept in production', () => {
    const { database, origin, server } = load(directory);
    expect(origin.generated).toEqual([]);
    expect(database.url).toMatch(/^postgres:\/\/platform:[0-9a-f]{48}@postgres:5432\/platform$/);
    expect(server.jwt_signing_secrets).toEqual([expect.stringMatching(/=$/)]);
  });

  it('trusts the load balancer alone, and the load balancer knows both replicas', () => {
    const addressOf = (name: string) => compose.services[name]?.networks.platform.ipv4_address;
    expect(load(directory).server.trusted_proxies).toEqual([addressOf('loadbalancer')]);
    const upstreams = [...text('compose/nginx.conf').matchAll(/^\s+server ([\d.]+):8080 /gm)];
    expect(upstreams.map((match) => match[1])).toEqual([addressOf('api-1'), addressOf('api-2')]);
  });

  it('refers to secrets that the script makes', () => {
    const made = [...text('compose/make-secrets.sh').matchAll(/^make (\w+) /gm)].map((match) => match[1]);
    expect(Object.keys(compose.secrets).sort()).toEqual(made.sort());
    const referred = [...text('compose/config.yaml').matchAll(/file:\/run\/secrets\/(\w+)/g)];
    expect(made).toEqual(expect.arrayContaining(referred.map((match) => match[1])));
    expect([...(ours[0]?.[1].secrets ?? [])].sort()).toEqual([...made].sort());
  });

  const openssl = spawnSync('openssl', ['version']).status === 0;
  (openssl ? it : it.skip)(
    'accepts the secrets that the script makes, once (skipped without openssl)',
    () => {
      const copy = join(directory, 'make-secrets.sh');
      cpSync(join(root, 'docker/compose/make-secrets.sh'), copy);
      const make = (clientSecret?: string) => {
        const given = clientSecret === undefined ? {} : { AUTH_CLIENT_SECRET: clientSecret };
        const { status, stderr } = spawnSync('sh', [copy], {
          encoding: 'utf8',
          env: { PATH: process.env['PATH'], ...given },
        });
        expect({ status, stderr }).toMatchObject({ status: 0 });
        const made = readdirSync(join(directory, 'secrets')).sort();
        return made.map((name) => [name, readFileSync(join(directory, 'secrets', name), 'utf8')] as const);
      };
      expect(new Map(make()).get('auth_client_secret')).toBe('not-configured');
      const first = make('from the provider');
      expect(first.map(([name]) => name)).toEqual(Object.keys(compose.secrets).sort());
      expect(make()).toEqual(first);
      expect(statSync(join(directory, 'secrets')).mode & 0o777).toBe(0o700);
      const { auth, origin, warnings } = load(join(directory, 'secrets'));
      expect([auth.client_secret, origin.generated]).toEqual(['from the provider', []]);
      expect(warnings).toEqual([]);
    },
  );

  it('hides the metrics from the outside', () => {
    expect(text('compose/nginx.conf')).toMatch(/location = \/metrics \{\s+return 404;/);
  });
});

describe('docker/compose/try.yaml', () => {
  const issuer = 'http://identity.localhost:8081';
  const attempt = yaml<{
    readonly services: Readonly<
      Record<string, ComposeService & { readonly extra_hosts?: readonly string[]; readonly ports?: string[] }>
    > & {
      readonly 'identity-provider': ComposeService & {
        readonly command: readonly string[];
        readonly environment: Readonly<Record<string, string>>;
      };
    };
  }>('compose/try.yaml');
  const { 'identity-provider': provider, ...others } = attempt.services;

  it('fits the schema of the Compose specification', () => {
    expect(faultsOf(join(root, 'docker/compose/try.yaml'))).toEqual([]);
  });

  it('adds one service, which this machine alone can reach, and tells the others where it is', () => {
    expect(Object.keys(others).sort()).toEqual(ours.map(([name]) => name).sort());
    expect(provider).toMatchObject({ ports: ['127.0.0.1:8081:8081'], read_only: true, cap_drop: ['ALL'] });
    const address = provider.networks.platform.ipv4_address;
    for (const service of Object.values(others))
      expect(service.extra_hosts).toEqual([`identity.localhost:${address}`]);
    const taken = services.map(([, { networks }]) => networks.platform?.ipv4_address);
    expect(taken).not.toContain(address);
  });

  it('has settings that both processes accept, without a warning', () => {
    const settings = parseEnv(text('compose/try.env'));
    const { environment } = (others['api-1'] ?? {}) as { environment?: Record<string, string> };
    const { auth, outbound, warnings } = load(directory, { ...settings, ...environment });
    expect([auth.issuer, auth.client_id, outbound.allow_insecure_origins]).toEqual([
      issuer,
      provider.environment['CLIENT_ID'],
      [issuer],
    ]);
    expect(auth.operator_users).toEqual(['admin@platform.localhost']);
    expect(warnings).toEqual([]);
  });

  it('runs a provider whose discovery document names the address that browsers see', async () => {
    await buildOnce();
    const here = issuer.replace('8081', String(await freePort()));
    const [program, ...words] = provider.command as [string, ...string[]];
    expect(program).toBe('node');
    const child = spawn(process.execPath, words, {
      cwd: root,
      stdio: ['ignore', 'pipe', 'ignore'],
      env: {
        ...provider.environment,
        ISSUER: here,
        HOST: '127.0.0.1',
        CLIENT_SECRET_FILE: join(directory, 'auth_client_secret'),
      },
    });
    try {
      const [line] = (await once(child.stdout, 'data')) as [Buffer];
      expect(line.toString().trim()).toBe(here);
      const { port } = new URL(here);
      // Programs other than browsers may not know the name, so it is given to the one address.
      const request = get({
        host: '127.0.0.1',
        port,
        path: '/.well-known/openid-configuration',
        headers: { host: new URL(here).host },
      });
      const [answer] = (await once(request, 'response')) as [Readable];
      const document = (await json(answer)) as Record<string, string>;
      expect([document['issuer'], document['authorization_endpoint']]).toEqual([here, `${here}/auth`]);
    } finally {
      child.kill();
      if (child.exitCode === null) await once(child, 'exit');
    }
  }, 300_000);
});

/** The lines `NAME=value` of a file. */
function parseEnv(content: string): Readonly<Record<string, string>> {
  return Object.fromEntries([...content.matchAll(/^(\w+)=(.*)$/gm)].map(([, name, value]) => [name, value]));
}
