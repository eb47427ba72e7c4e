import { startDevelopmentIdentityProvider } from '@platform/development';
import { chooseAtDevelopmentProvider, ScriptlessBrowser, until } from '@platform/development/testing';
import { CliFixture, type RunOptions } from './cli-fixture.ts';

const clientSecret = 'client-secret-of-the-platform';
let provider: Awaited<ReturnType<typeof startDevelopmentIdentityProvider>>;
const cli = new CliFixture(async (publicUrl) => {
  provider = await startDevelopmentIdentityProvider({
    port: 0,
    clientId: 'platform',
    clientSecret,
    redirectUris: [`${publicUrl}/api/v1/auth/callback`],
    people: [{ subject: 'ann', email: 'ann@example.dev', name: 'Ann', groups: [], note: '' }],
  });
  return {
    auth: { issuer: provider.issuer, client_id: 'platform', client_secret: clientSecret },
    outbound: { allow_insecure_origins: [provider.issuer] },
  };
});
afterAll(() => provider.close());

const stored: RunOptions = { as: null };

async function logIn(context: string): Promise<string> {
  const browse = (url: string) => {
    const home = new URL(url).searchParams.get('redirect_uri') ?? '';
    void chooseAtDevelopmentProvider(new ScriptlessBrowser(), url, 'ann', (next) =>
      next.startsWith(home),
    ).then(({ location }) => fetch(location ?? ''));
  };
  await cli.ok(`login --name ${context}`, { ...stored, browse });
  return (await cli.ok(`token show --context ${context}`, stored)).trim();
}

async function statusOf(token: string): Promise<number> {
  const headers = { Authorization: `Bearer ${token}` };
  return (await fetch(`${cli.api.publicUrl}/api/v1/auth/me`, { headers })).status;
}

/** The end of a session takes effect within a second, which is tested with the follower of ended sessions. */
async function expectEnded(token: string): Promise<void> {
  await until(async () => (await statusOf(token)) === 401, { seconds: 5 });
}

describe('platform sessions', () => {
  it('lists and revokes the own sessions, and signs out', async () => {
    const [first, second] = [await logIn('first'), await logIn('second')];
    const lines = (await cli.ok('sessions list --context second', stored)).trim().split('\n');
    expect(lines[0]).toMatch(/^ID +USER +AGE +EXPIRES +PROGRAM$/);
    expect(lines.slice(1).every((line) => line.includes('ann@example.dev'))).toBe(true);
    const id = lines[2]?.split(/ +/)[0] ?? '';
    expect(await cli.ok(`sessions revoke ${id} --context second`, stored)).toBe(
      `No session ${id} is valid any more\n`,
    );
    await expectEnded(first);
    expect(await statusOf(second)).toBe(200);
    await cli.ok('sessions sign-out ann@example.dev --context second', stored);
    await expectEnded(second);
  });

  it('refuses to sign out others, for all but operators', async () => {
    const refused = await cli.run('sessions sign-out ann@example.dev', { as: 'stranger' });
    expect(refused.code).toBe(4);
    await cli.ok('sessions sign-out ann@example.dev');
  });
});

describe('platform logout', () => {
  it('ends the session at the server', async () => {
    const token = await logIn('third');
    expect(await cli.ok('logout --context third', stored)).toContain('Logged out of');
    await expectEnded(token);
  });
});

describe('platform audit', () => {
  it('shows what happened, with filters, and as JSON lines', async () => {
    await cli.api.as('admin', 'post', '/api/v1/projects').send({ name: 'shop' }).expect(201);
    const shown = await cli.ok('audit --action project.created --project shop');
    expect(shown).toMatch(/^TIME +ACTION +OUTCOME +ACTOR +SUBJECT +DETAILS\n/);
    expect(shown).toMatch(/project\.created +allowed +admin@example\.dev +Project shop/);
    const [line = ''] = (await cli.ok('audit --project shop --limit 1 -o json')).trim().split('\n');
    expect(JSON.parse(line)).toMatchObject({ action: 'project.created', project: 'shop' });
    expect(await cli.ok('audit --request-id nobody')).toBe('No audit records.\n');
    expect((await cli.run('audit', { as: 'stranger' })).code).toBe(4);
  });
});
