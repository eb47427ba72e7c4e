import { readFileSync, statSync, writeFileSync } from 'node:fs';
import { developmentPeople, startDevelopmentIdentityProvider } from '@platform/development';
import { chooseAtDevelopmentProvider, ScriptlessBrowser } from '@platform/development/testing';
import { systemTimers } from 'platform-service-client';
import { parse } from 'yaml';
import { run } from '../src/run.ts';
import { Session } from '../src/session/session.ts';
import { CliFixture, type RunOptions } from './cli-fixture.ts';
import { FakeTerminal } from './fake-terminal.ts';

let provider: Awaited<ReturnType<typeof startDevelopmentIdentityProvider>>;
const cli = new CliFixture(async (publicUrl) => {
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

/** Acts as a user in the browser: chooses an account and follows the redirect to the terminal. */
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
  it('logs in with the browser, stores the session in a private file, and logs out', async () => {
    const arrived: number[] = [];
    const login = await cli.run('login', { ...alone, browse: person('admin', arrived) });
    expect(login).toEqual({
      code: 0,
      out: `Logged in at ${cli.api.publicUrl} as admin@platform.localhost (operator), context default\n`,
      err: expect.stringContaining('/api/v1/auth/authorize?response_type=code&client_id=platform-cli'),
    });
    expect(arrived).toEqual([200]);
    expect(statSync(cli.configFile).mode & 0o777).toBe(0o600);
    // Without a URL in the environment, the context names it.
    const kept: RunOptions = { as: null, env: { PLATFORM_URL: undefined } };
    expect(await cli.ok('whoami', kept)).toBe(
      `admin@platform.localhost at ${cli.api.publicUrl} (operator)\n`,
    );
    expect(await cli.ok('get orgs -o name', kept)).toBe('organization/default\n');
    expect(await cli.ok('contexts', kept)).toMatch(
      /^\* +default +http:\/\/localhost:\d+ +admin@platform\.localhost +until 20/m,
    );
    await cli.ok('logout', kept);
    expect(readFileSync(cli.configFile, 'utf8')).not.toContain('token');
    expect(await cli.run('whoami', kept)).toMatchObject({
      code: 3,
      err: expect.stringContaining('platform login'),
    });
  });

  it('logs in a user who is not an operator', async () => {
    await cli.ok('login --name dev', { ...alone, browse: person('dev') });
    expect(await cli.ok('whoami --context dev', alone)).toMatch(/^dev@platform\.localhost at .* \(user\)$/m);
    expect((await cli.run('get orgs --context dev', alone)).code).toBe(4);
  });

  it('prints why the login failed, and stores nothing', async () => {
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
    const { code, err } = await cli.run('login --name refused', { ...alone, browse: refuse });
    expect([code, err]).toEqual([4, expect.stringContaining('platform: login rejected: Not today\n')]);
    expect(parse(readFileSync(cli.configFile, 'utf8')).contexts).not.toHaveProperty('refused');
  });

  it.each([
    ['another server', { iss: 'https://evil.example' }, 'the response is from https://evil.example'],
    ['a server that does not name itself', {}, 'the response is from a server that does not name itself'],
  ])('rejects the code of %s', async (_, issuer, message) => {
    const mixUp = (url: string) => {
      const query = new URL(url).searchParams;
      const parameters = {
        state: query.get('state') ?? '',
        code: 'c',
        ...(issuer as Record<string, string>),
      };
      void fetch(`${query.get('redirect_uri')}?${new URLSearchParams(parameters)}`);
    };
    const { code, err } = await cli.run('login', { ...alone, browse: mixUp });
    expect([code, err]).toEqual([1, expect.stringContaining(message)]);
  });

  it('stops at Ctrl-C', async () => {
    const terminal: FakeTerminal = cli.terminal({ ...alone, browse: () => terminal.interrupt() });
    expect(await run(['login'], terminal)).toBe(130);
  });

  it('stores an existing token after verifying it', async () => {
    const token = cli.api.session('operator');
    const out = await cli.ok('login --name kept --with-token -', { ...alone, input: `${token}\n` });
    expect(out).toContain('as operator@example.dev (operator), context kept');
    writeFileSync(cli.path('token'), token);
    await cli.ok(['login', '--with-token', cli.path('token'), '--name', 'kept'], alone);
    expect((await cli.run('login --with-token -', { ...alone, input: 'nonsense' })).code).toBe(3);
    expect((await cli.run('login --with-token -', { ...alone, input: '\n' })).code).toBe(2);
  });
});

/** A terminal, and a person who answers the code that it shows; the first poll waits for the answer instead of five seconds. */
function atDevice(choice: 'allow' | 'deny') {
  let answered = () => {};
  const pause = new Promise<void>((resolve) => {
    answered = resolve;
  });
  const timers = {
    ...systemTimers,
    after(ms: number, task: () => void) {
      if (ms !== 5_000) return systemTimers.after(ms, task);
      void pause.then(task);
      return () => {};
    },
  };
  const terminal: FakeTerminal = cli.terminal({ ...alone, timers });
  const answer = async (login: Promise<number>) => {
    let ended = false;
    void login.finally(() => {
      ended = true;
    });
    let code: string | undefined;
    while (code === undefined) {
      if (ended) throw new Error(`the login ended without a code: ${terminal.stderr}`);
      await new Promise((resolve) => setTimeout(resolve, 20));
      code = /the code ([B-Z]{4}-[B-Z]{4})/.exec(terminal.stderr)?.[1];
    }
    try {
      const browser = new ScriptlessBrowser();
      const url = `${cli.api.publicUrl}/api/v1/auth/device/login?user_code=${code}`;
      await chooseAtDevelopmentProvider(browser, url, 'admin', () => false);
      const cookie = `platform_login=${browser.cookie('localhost', 'platform_login')}`;
      const query = new URLSearchParams({ choice, user_code: code });
      const confirm = `${cli.api.publicUrl}/api/v1/auth/device/confirm?${query}`;
      const confirmed = await fetch(confirm, {
        method: 'POST',
        headers: { cookie, origin: cli.api.publicUrl },
      });
      expect([confirmed.status, await confirmed.text()]).toEqual([200, expect.any(String)]);
    } finally {
      answered();
    }
  };
  return { terminal, answer };
}

describe('platform login --device', () => {
  it('prints a code, waits until somebody confirms it, and stores the session', async () => {
    const { terminal, answer } = atDevice('allow');
    const login = run(['login', '--device', '--name', 'robot'], terminal);
    const [code] = await Promise.all([login, answer(login)]);
    expect([code, terminal.stdout]).toEqual([
      0,
      `Logged in at ${cli.api.publicUrl} as admin@platform.localhost (operator), context robot\n`,
    ]);
    expect(terminal.stderr).toContain(`${cli.api.publicUrl}/device\n`);
    expect(await cli.ok('whoami --context robot', alone)).toContain('admin@platform.localhost');
  });

  it('says that it was refused, and stores nothing', async () => {
    const { terminal, answer } = atDevice('deny');
    const login = run(['login', '--device', '--name', 'nobody'], terminal);
    const [code] = await Promise.all([login, answer(login)]);
    expect([code, terminal.stderr]).toEqual([4, expect.stringContaining('refused in the browser')]);
    expect(parse(readFileSync(cli.configFile, 'utf8')).contexts).not.toHaveProperty('nobody');
  });

  it('takes no token', async () => {
    expect(await cli.run('login --device --with-token -', alone)).toMatchObject({ code: 2 });
  });
});

describe('sessions', () => {
  it.each([
    [
      'http://platform.example.com',
      'warning: sending the token to platform.example.com unencrypted; use https\n',
    ],
    ['http://127.evil.example', 'warning: sending the token to 127.evil.example unencrypted; use https\n'],
    ['https://platform.example.com', ''],
    ['http://localhost:8080', ''],
    ['http://127.0.0.1:8080', ''],
    ['http://[::1]:8080', ''],
  ])('warn once of a token that leaves the machine over http: %s', (url, warning) => {
    const terminal = new FakeTerminal({ env: { PLATFORM_TOKEN: 'secret' } });
    const session = new Session(terminal, { url });
    session.client();
    session.client();
    expect(terminal.stderr).toBe(warning);
  });

  it('are not sent to another server', async () => {
    const { code, err } = await cli.run('whoami --context kept --url http://127.0.0.1:3', alone);
    expect([code, err]).toEqual([
      3,
      expect.stringMatching(/the login of context kept is for http:\/\/localhost/),
    ]);
  });

  it('expire', async () => {
    const file = parse(readFileSync(cli.configFile, 'utf8'));
    file.contexts.over = { ...file.contexts.kept, expires: '2020-01-01T00:00:00.000Z' };
    writeFileSync(cli.configFile, JSON.stringify(file));
    expect(await cli.run('whoami --context over', alone)).toMatchObject({
      code: 3,
      err: expect.stringContaining('has expired; log in with: platform login'),
    });
    expect(await cli.ok('contexts', alone)).toMatch(/over +http\S+ +operator@example\.dev +expired$/m);
  });

  it('can be read from a file', async () => {
    expect(await cli.ok(['whoami', '--token-file', cli.path('token')], alone)).toContain(
      'operator@example.dev',
    );
  });
});

describe('platform contexts', () => {
  it('are added, used and deleted', async () => {
    expect(await cli.ok('contexts set prod https://platform.example/', alone)).toBe(
      'Context prod is https://platform.example\n',
    );
    expect(await cli.ok('contexts use prod', alone)).toBe(
      'Now using context prod (https://platform.example)\n',
    );
    expect(await cli.ok('contexts', alone)).toMatch(/^\* +prod +https:\/\/platform\.example +- +none$/m);
    expect(await cli.ok('contexts delete prod', alone)).toBe('Context prod deleted\n');
    expect(await cli.run('contexts use prod', alone)).toMatchObject({ code: 5 });
    expect(await cli.run('whoami --context prod', alone)).toMatchObject({
      code: 5,
      err: 'platform: context prod does not exist; platform contexts lists them\n',
    });
    expect(await cli.run('contexts set prod nonsense', alone)).toMatchObject({ code: 2 });
  });

  it('lose their login when their URL changes', async () => {
    await cli.ok('contexts set kept https://elsewhere.example', alone);
    expect(await cli.ok('contexts', alone)).toMatch(/kept +https:\/\/elsewhere\.example +- +none$/m);
  });

  it('are not shown in the error about an invalid file', async () => {
    const canary = 'token: [canary';
    writeFileSync(cli.path('damaged.yaml'), canary);
    const { code, err } = await cli.run('contexts', {
      as: null,
      env: { PLATFORM_CLI_CONFIG: cli.path('damaged.yaml') },
    });
    expect([code, err]).toEqual([1, expect.stringContaining('is not a valid configuration file')]);
    expect(err).not.toContain('canary');
  });
});
