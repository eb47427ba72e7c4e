import { readFileSync, statSync, writeFileSync } from 'node:fs';
import { developmentPeople, startDevelopmentIdentityProvider } from '@platform/development';
import { chooseAtDevelopmentProvider, ScriptlessBrowser } from '@platform/development/testing';
import { parse } from 'yaml';
import { run } from '../src/run.ts';
import type { FakeTerminal } from './fake-terminal.ts';
import { CliWorld, type RunOptions } from './world.ts';

let provider: Awaited<ReturnType<typeof startDevelopmentIdentityProvider>>;
const world = new CliWorld(async (publicUrl) => {
  provider = await startDevelopmentIdentityProvider({
    port: 0,
    clientId: 'platform',
    clientSecret: 'client-secret-of-the-platform',
    redirectUris: [`${publicUrl}/api/v1/auth/callback`],
    people: developmentPeople,
  });
  return {
    auth: {
      issuer: provider.issuer,
      client_id: 'platform',
      client_secret: 'client-secret-of-the-platform',
      operator_users: ['operator@example.dev', 'admin@platform.localhost'],
    },
    outbound: { allow_insecure_origins: [provider.issuer] },
  };
});
afterAll(() => provider.close());

const alone: RunOptions = { as: null };

/** What a person does whose browser opens: they choose who they are, and are sent back to the terminal. */
function person(subject: string, arrived: number[] = []) {
  return (url: string) => {
    const browser = new ScriptlessBrowser();
    const home = new URL(url).searchParams.get('redirect_uri') ?? '';
    const back = chooseAtDevelopmentProvider(browser, url, subject, (next) => next.startsWith(home));
    void back.then(async ({ location }) => {
      const page = await fetch(location ?? '');
      arrived.push(page.status);
    });
  };
}

describe('platform login', () => {
  it('logs in with the browser, keeps the session where nobody else can read it, and logs out', async () => {
    const arrived: number[] = [];
    const login = await world.run('login', { ...alone, browse: person('admin', arrived) });
    expect(login).toEqual({
      code: 0,
      out: `Logged in at ${world.api.publicUrl} as admin@platform.localhost (operator), context default\n`,
      err: expect.stringContaining('/api/v1/auth/authorize?response_type=code&client_id=platform-cli'),
    });
    expect(arrived).toEqual([200]);
    expect(statSync(world.configFile).mode & 0o777).toBe(0o600);
    // Without the address: the context tells it.
    const kept: RunOptions = { as: null, env: { PLATFORM_URL: undefined } };
    expect(await world.ok('whoami', kept)).toBe(
      `admin@platform.localhost at ${world.api.publicUrl} (operator)\n`,
    );
    expect(await world.ok('get orgs -o name', kept)).toBe('organization/default\n');
    expect(await world.ok('contexts', kept)).toMatch(
      /^\* +default +http:\/\/localhost:\d+ +admin@platform\.localhost +until 20/m,
    );
    await world.ok('logout', kept);
    expect(readFileSync(world.configFile, 'utf8')).not.toContain('token');
    expect(await world.run('whoami', kept)).toMatchObject({
      code: 3,
      err: expect.stringContaining('platform login'),
    });
  });

  it('lets an ordinary person in, who may do nothing with resources', async () => {
    await world.ok('login --name dev', { ...alone, browse: person('dev') });
    expect(await world.ok('whoami --context dev', alone)).toMatch(
      /^dev@platform\.localhost at .* \(user\)$/m,
    );
    expect((await world.run('get orgs --context dev', alone)).code).toBe(4);
  });

  it('says why it failed, and keeps nothing', async () => {
    const refuse = (url: string) => {
      const back = new URL(new URL(url).searchParams.get('redirect_uri') ?? '');
      const state = new URL(url).searchParams.get('state') ?? '';
      const refusal = {
        state,
        error: 'access_denied',
        error_description: 'Not today',
        iss: new URL(url).origin,
      };
      void fetch(`${back}?${new URLSearchParams({ state: 'forged', code: 'c' })}`).then(() =>
        fetch(`${back}?${new URLSearchParams(refusal)}`),
      );
    };
    const { code, err } = await world.run('login --name refused', { ...alone, browse: refuse });
    expect([code, err]).toEqual([4, expect.stringContaining('platform: the login was refused: Not today\n')]);
    expect(parse(readFileSync(world.configFile, 'utf8')).contexts).not.toHaveProperty('refused');
  });

  it.each([
    ['another server', { iss: 'https://evil.example' }, 'https://evil.example answered instead of'],
    ['a server that does not name itself', {}, 'an unknown server answered instead of'],
  ])('takes no code from %s', async (_, named, message) => {
    const mixUp = (url: string) => {
      const query = new URL(url).searchParams;
      const answer = { state: query.get('state') ?? '', code: 'c', ...(named as Record<string, string>) };
      void fetch(`${query.get('redirect_uri')}?${new URLSearchParams(answer)}`);
    };
    const { code, err } = await world.run('login', { ...alone, browse: mixUp });
    expect([code, err]).toEqual([1, expect.stringContaining(message)]);
  });

  it('gives up at Ctrl-C', async () => {
    const terminal: FakeTerminal = world.terminal({ ...alone, browse: () => terminal.interrupt() });
    expect(await run(['login'], terminal)).toBe(130);
  });

  it('keeps a token that one has, when it works', async () => {
    const token = world.api.session('operator');
    const out = await world.ok('login --name kept --with-token -', { ...alone, input: `${token}\n` });
    expect(out).toContain('as operator@example.dev (operator), context kept');
    writeFileSync(world.path('token'), token);
    await world.ok(['login', '--with-token', world.path('token'), '--name', 'kept'], alone);
    expect((await world.run('login --with-token -', { ...alone, input: 'nonsense' })).code).toBe(3);
    expect((await world.run('login --with-token -', { ...alone, input: '\n' })).code).toBe(2);
  });
});

describe('sessions', () => {
  it('are not handed to another server', async () => {
    const { code, err } = await world.run('whoami --context kept --url http://127.0.0.1:3', alone);
    expect([code, err]).toEqual([
      3,
      expect.stringMatching(/the session of context kept is for http:\/\/localhost/),
    ]);
  });

  it('end with their time', async () => {
    const file = parse(readFileSync(world.configFile, 'utf8'));
    file.contexts.over = { ...file.contexts.kept, expires: '2020-01-01T00:00:00.000Z' };
    writeFileSync(world.configFile, JSON.stringify(file));
    expect(await world.run('whoami --context over', alone)).toMatchObject({
      code: 3,
      err: expect.stringContaining('is over; platform login'),
    });
    expect(await world.ok('contexts', alone)).toMatch(/over +http\S+ +operator@example\.dev +over$/m);
  });

  it('come from a file too', async () => {
    expect(await world.ok(['whoami', '--token-file', world.path('token')], alone)).toContain(
      'operator@example.dev',
    );
  });
});

describe('platform contexts', () => {
  it('are added, used and deleted', async () => {
    expect(await world.ok('contexts set prod https://platform.example/', alone)).toBe(
      'Context prod is https://platform.example\n',
    );
    expect(await world.ok('contexts use prod', alone)).toBe(
      'Now at https://platform.example (context prod)\n',
    );
    expect(await world.ok('contexts', alone)).toMatch(/^\* +prod +https:\/\/platform\.example +- +none$/m);
    expect(await world.ok('contexts delete prod', alone)).toBe('Context prod deleted\n');
    expect(await world.run('contexts use prod', alone)).toMatchObject({ code: 5 });
    expect(await world.run('whoami --context prod', alone)).toMatchObject({
      code: 2,
      err: 'platform: there is no context prod; platform contexts lists them\n',
    });
    expect(await world.run('contexts set prod nonsense', alone)).toMatchObject({ code: 2 });
  });

  it('lose their session with their address', async () => {
    await world.ok('contexts set kept https://elsewhere.example', alone);
    expect(await world.ok('contexts', alone)).toMatch(/kept +https:\/\/elsewhere\.example +- +none$/m);
  });

  it('are never shown, not even damaged', async () => {
    const canary = 'token: [canary';
    writeFileSync(world.path('damaged.yaml'), canary);
    const { code, err } = await world.run('contexts', {
      as: null,
      env: { PLATFORM_CLI_CONFIG: world.path('damaged.yaml') },
    });
    expect([code, err]).toEqual([1, expect.stringContaining('is damaged')]);
    expect(err).not.toContain('canary');
  });
});
