import { once } from 'node:events';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { decodeJwt, exportJWK, generateKeyPair, SignJWT } from 'jose';
import { CliFixture } from './cli-fixture.ts';

let issuer: string;
let server: Server;
const keys = generateKeyPair('RS256');
const cli = new CliFixture(async () => {
  server = createServer(async (request, response) => {
    const jwk = { ...(await exportJWK((await keys).publicKey)), kid: 'k', alg: 'RS256', use: 'sig' };
    response.end(
      JSON.stringify(request.url === '/jwks' ? { keys: [jwk] } : { issuer, jwks_uri: `${issuer}/jwks` }),
    );
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    auth: {
      operator_users: ['operator@example.dev'],
      admin_users: ['admin@example.dev'],
      controllers: [{ id: 'ctrl.example', issuer, claims: { aud: 'platform', sub: 'ctrl' } }],
    },
    outbound: { allow_insecure_origins: [issuer] },
  };
});
afterAll(() => {
  server.closeAllConnections();
  server.close();
});

async function external(subject: string): Promise<string> {
  return await new SignJWT()
    .setProtectedHeader({ alg: 'RS256', kid: 'k' })
    .setIssuer(issuer)
    .setAudience('platform')
    .setSubject(subject)
    .setIssuedAt()
    .setExpirationTime('5m')
    .sign((await keys).privateKey);
}

const post = async (path: string, body: object) =>
  (await cli.api.as('admin', 'post', path).send(body).expect(201)).body;

describe('platform token show', () => {
  it('prints the token of the environment or of a file, and fails without one', async () => {
    const directory = mkdtempSync(join(tmpdir(), 'token-'));
    const file = join(directory, 'token');
    writeFileSync(file, 'from-a-file\n');
    const env = { PLATFORM_TOKEN: 'given' };
    expect(await cli.ok('token show', { as: null, env })).toBe('given\n');
    expect(await cli.ok(`token show --token-file ${file}`, { as: null, env })).toBe('from-a-file\n');
    expect(await cli.run('token show', { as: null })).toMatchObject({ code: 3, out: '' });
    rmSync(directory, { recursive: true });
  });
});

describe('platform token exchange', () => {
  it('exchanges an external token for a controller or a service account', async () => {
    const token = await cli.ok('token exchange', { as: null, input: await external('ctrl') });
    expect(decodeJwt(token.trim())['sub']).toBe('controller:ctrl.example');
    expect(await cli.ok('whoami', { as: null, env: { PLATFORM_TOKEN: token.trim() } })).toMatch(
      /^ctrl\.example at .* \(controller\)$/m,
    );
    await post('/api/v1/projects', { name: 'exchange' });
    await post('/api/v1/projects/exchange/service-accounts', {
      name: 'ci',
      issuer_url: issuer,
      claims: { aud: 'platform', sub: 'ci' },
    });
    writeFileSync(cli.path('subject'), await external('ci'));
    const words = [
      'token',
      'exchange',
      '-f',
      cli.path('subject'),
      '--identity',
      'exchange+ci@sa.platform.local',
      '-o',
      'json',
    ];
    const response = JSON.parse(await cli.ok(words, { as: null }));
    expect([response.expires_in, decodeJwt(response.access_token)['sub']]).toEqual([
      600,
      'serviceaccount:exchange+ci@sa.platform.local',
    ]);
  });

  it('prints why the exchange was rejected', async () => {
    const { code, err } = await cli.run('token exchange', { as: null, input: await external('nobody') });
    expect([code, err]).toEqual([7, expect.stringMatching(/^platform: .* \(invalid_grant\)\n$/)]);
    expect((await cli.run('token exchange', { as: null, input: '' })).code).toBe(2);
  });
});

describe('platform encrypt', () => {
  it('encrypts typed or piped input without its last line break', async () => {
    const typed = await cli.run('encrypt', { as: 'admin', answers: ['secret'] });
    const piped = await cli.run('encrypt', { as: 'admin', input: 'secret\n' });
    for (const { code, out } of [typed, piped])
      expect([code, out]).toEqual([0, expect.stringMatching(/^\S+\n$/)]);
    expect(typed.out).not.toContain('secret');
    expect((await cli.run('encrypt', { as: 'admin', input: '' })).code).toBe(2);
    expect(await cli.run('encrypt -p nope', { as: 'admin', input: 'secret' })).toMatchObject({
      code: 5,
      err: 'platform: There is no such project (not_found)\n',
    });
  });
});

describe('platform run and oauth doctor', () => {
  beforeAll(async () => {
    await post('/api/v1/projects', { name: 'shop', members: ['member@example.dev'] });
    const sealed = (await cli.ok('encrypt -p shop', { as: 'admin', input: 'upstream' })).trim();
    const spec = {
      provider_name: 'Example',
      client_id: 'c',
      client_secret_encrypted: sealed,
      issuer_url: issuer,
      scopes: ['openid'],
    };
    for (const name of ['login', 'second-login'])
      await post('/api/v1/projects/shop/extensions', { name, type: 'oauth', spec });
  });

  it('runs a program with the variables of its extensions, and exits with its code', async () => {
    let seen: [readonly string[], Readonly<Record<string, string | undefined>>] | undefined;
    const { code, out } = await cli.run('run -p shop -e login second-login -- npm start --flag', {
      as: 'member',
      env: { KEPT: 'yes' },
      spawn: (command, env) => {
        seen = [command, env];
        return 7;
      },
    });
    expect([code, out, seen?.[0]]).toEqual([7, '', ['npm', 'start', '--flag']]);
    expect(seen?.[1]).toMatchObject({
      KEPT: 'yes',
      LOGIN_CLIENT_ID: 'shop-login',
      LOGIN_CLIENT_SECRET: expect.stringMatching(/^.{20,}$/),
      LOGIN_ISSUER: `${cli.api.publicUrl}/oidc/shop/login`,
      SECOND_LOGIN_CLIENT_ID: 'shop-second-login',
      PLATFORM_ISSUER: cli.api.publicUrl,
    });
  });

  it('runs nothing without access to the project', async () => {
    const spawn = () => {
      throw new Error('the program must not run');
    };
    expect((await cli.run('run -p shop -e login -- npm start', { as: 'stranger', spawn })).code).toBe(4);
    expect((await cli.run('run -p shop -- npm start', { as: 'member', spawn })).code).toBe(2);
  });

  it('prints what is wrong with an extension, and exits with 1', async () => {
    const { code, out, err } = await cli.run('oauth doctor shop login', { as: 'member' });
    expect(out).toMatch(/^ok {7}discovery: /m);
    expect(out).toMatch(/^failed {3}endpoints: .*\n {9}→ /m);
    expect([code, err]).toEqual([1, 'platform: checks of extension login in project shop failed\n']);
  });

  it('colors the result only on a terminal', async () => {
    expect((await cli.run('oauth doctor shop login', { as: 'member', isTty: true })).out).toContain(
      '\u001b[',
    );
    for (const options of [{ isTty: false }, { isTty: true, env: { NO_COLOR: '1' } }]) {
      expect((await cli.run('oauth doctor shop login', { as: 'member', ...options })).out).not.toContain(
        '\u001b[',
      );
    }
    expect(
      (await cli.run('oauth doctor shop login --no-color', { as: 'member', isTty: true })).out,
    ).not.toContain('\u001b[');
  });
});

describe('platform identity project', () => {
  it('writes a token for each audience once with a bootstrap credential', async () => {
    await post('/api/v1/projects', { name: 'work' });
    const { bootstrap_credential: credential } = await post('/api/v1/projects/work/deployments', {
      environment: 'production',
    });
    const directory = cli.path('tokens');
    const words = [
      'identity',
      'project',
      '--once',
      '-d',
      directory,
      '-a',
      'aws=sts.amazonaws.com',
      '-a',
      'vault',
    ];
    const { code, err } = await cli.run(words, {
      as: null,
      env: { PLATFORM_BOOTSTRAP_CREDENTIAL: credential },
    });
    expect([code, err]).toEqual([
      0,
      'aws: token for sts.amazonaws.com written, valid for 3600 s\nvault: token for vault written, valid for 3600 s\n',
    ]);
    expect(readdirSync(directory).sort()).toEqual(['aws', 'vault']);
    expect(statSync(`${directory}/aws`).mode & 0o777).toBe(0o600);
    expect(decodeJwt(readFileSync(`${directory}/aws`, 'utf8'))).toMatchObject({
      aud: 'sts.amazonaws.com',
      sub: 'platform:proj:work:env:production',
    });
    mkdirSync(cli.path('credential'), { recursive: true });
    writeFileSync(cli.path('credential/file'), 'x'.repeat(43));
    const refused = await cli.run([...words, '--credential-file', cli.path('credential/file')], {
      as: null,
    });
    expect([refused.code, refused.err]).toEqual([
      3,
      expect.stringMatching(/\(unauthenticated\); creating a deployment returns a bootstrap credential/),
    ]);
  });

  it.each([
    [['-a', '../evil=aud'], 'plain name'],
    [['-a', 'https://sts.example/x'], 'plain name'],
    [['-a', 'a=one', '-a', 'a=two'], 'given twice'],
    [['-a', 'a='], 'empty'],
    [[], "required option '-a"],
    [['-a', 'a=one'], 'missing bootstrap credential'],
  ])('rejects %j', async (words, message) => {
    const { code, err } = await cli.run(['identity', 'project', '--once', ...words], { as: null });
    expect([code, err]).toEqual([2, expect.stringContaining(message)]);
  });
});
