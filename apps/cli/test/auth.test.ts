import { randomUUID } from 'node:crypto';
import { CliFixture } from './cli-fixture.ts';
import { given, registerSites } from './sites.ts';

const cli = new CliFixture();
const dev = 'dev@example.dev';

beforeAll(async () => {
  await registerSites(cli);
  for (const path of ['blog', 'blog/news', 'shop']) await given(cli, path);
  const platform = { group: 'platform.dev', version: 'v1alpha1' };
  const site = await cli.operator
    .resources({ group: 'sites.example', version: 'v1', plural: 'sites' })
    .get('blog');
  const scope = { apiVersion: 'sites.example/v1', kind: 'Site', name: 'blog', uid: site.metadata.uid };
  await cli.operator.resources({ ...platform, plural: 'rolebindings' }).create({
    apiVersion: 'platform.dev/v1alpha1',
    kind: 'RoleBinding',
    metadata: { name: 'bloggers' },
    spec: { roleRef: { name: 'editor' }, subjects: [{ kind: 'User', name: dev }], scope },
  });
});

describe('platform auth', () => {
  it('can-i says yes with the reason', async () => {
    expect(await cli.ok('auth can-i delete section/blog/news')).toBe('yes: operator\n');
    const { code, out } = await cli.run(`auth can-i update section/blog/news --as User=${dev}`);
    expect([code, out]).toEqual([
      0,
      expect.stringMatching(/^yes: rolebinding\/bloggers gives role\/editor in the scope uid:/),
    ]);
  });

  it.each([
    'update section/shop/news',
    'create sites',
    'restore section/blog/news',
    'update section/shop/news --subresource status',
  ])('can-i says no to %s, with exit code 1', async (words) => {
    expect(await cli.run(`auth can-i ${words} --as User=${dev}`)).toMatchObject({ code: 1, out: 'no\n' });
  });

  it('can-i takes the path of a request, for callers that may not list the kinds', async () => {
    const path = '/api/v1/resources/sites.example/v1/sections/blog/news';
    expect(await cli.ok(`auth can-i get ${path}`)).toBe('yes: operator\n');
  });

  it('who-can lists subjects', async () => {
    const lines = (await cli.ok('auth who-can update section/blog/news')).trim().split('\n');
    expect(lines).toEqual([
      expect.stringMatching(/^KIND +NAME +BINDING/),
      expect.stringMatching(/^User +dev@example\.dev +bloggers/),
    ]);
    expect(await cli.run('auth who-can delete site/shop')).toMatchObject({
      code: 0,
      err: 'Nobody but operators.\n',
    });
  });

  it('whoami says who', async () => {
    expect(await cli.ok('auth whoami')).toBe(await cli.ok('whoami'));
  });

  it('whoami shows the groups and the bindings of the caller', async () => {
    const token = cli.api.session({ uid: randomUUID(), email: dev, email_verified: true, groups: ['crew'] });
    const out = await cli.ok('auth whoami', { as: null, env: { PLATFORM_TOKEN: token } });
    expect(out.trim().split('\n')).toEqual([
      `${dev} at ${cli.api.publicUrl} (user)`,
      'Groups: crew',
      expect.stringMatching(/^BINDING +ROLE +SCOPE/),
      expect.stringMatching(/^bloggers +editor +[0-9a-f-]{36}$/),
    ]);
  });

  it.each([
    ['can-i read sites', 'unknown verb read'],
    ['can-i get sites --as ann', 'unknown subject ann'],
    ['can-i update sites --subresource status', 'needs the name of one resource'],
  ])('refuses %s', async (words, message) => {
    const { code, err } = await cli.run(`auth ${words}`);
    expect([code, err]).toEqual([2, expect.stringContaining(message)]);
  });
});
