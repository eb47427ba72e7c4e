import { fromYaml } from '../src/output/yaml.ts';
import { CliFixture } from './cli-fixture.ts';

const cli = new CliFixture();

async function post(path: string, body: object): Promise<void> {
  await cli.api.as('admin', 'post', path).send(body).expect(201);
}

beforeAll(async () => {
  const member = 'member@example.dev';
  await post('/api/v1/teams', { name: 'core', members: [{ email: member, role: 'owner' }] });
  await post('/api/v1/projects', { name: 'blog' });
  await post('/api/v1/projects', { name: 'shop', owner: { team: 'core' }, members: [member] });
  await post('/api/v1/projects/shop/environments', { name: 'staging' });
  const claims = { aud: 'platform', sub: 'repo:*' };
  await post('/api/v1/projects/shop/service-accounts', {
    name: 'ci',
    issuer_url: 'https://ci.example',
    claims,
  });
  await post('/api/v1/projects/shop/deployments', { environment: 'staging' });
});

const admin = { as: 'admin' } as const;
const rows = async (words: string, as: 'admin' | 'member' = 'admin') =>
  (await cli.ok(words, { as }))
    .trimEnd()
    .split('\n')
    .map((line) => line.split(/ {3,}/));

describe('platform get of typed resources', () => {
  it('shows each kind as a table with its own columns', async () => {
    expect(await rows('get projects')).toEqual([
      ['NAME', 'ORGANIZATION', 'ACCESS', 'OWNER', 'URL', 'AGE'],
      [
        'blog',
        'default',
        'private',
        'admin@example.dev',
        expect.any(String),
        expect.stringMatching(/^\d+s$/),
      ],
      ['shop', 'default', 'private', 'team core', expect.any(String), expect.any(String)],
    ]);
    expect((await rows('get teams'))[1]?.slice(0, 3)).toEqual([
      'core',
      'default',
      'member@example.dev (owner)',
    ]);
    expect((await rows('get sa'))[1]?.slice(0, 4)).toEqual([
      'shop',
      'ci',
      'shop+ci@sa.platform.local',
      'https://ci.example',
    ]);
    expect((await rows('get deployments -o wide'))[0]).toEqual([
      'PROJECT',
      'NAME',
      'ENVIRONMENT',
      'AGE',
      'REVISION',
    ]);
    expect(await cli.ok('get extensions', admin)).toBe('No extensions found.\n');
  });

  it.each([
    'env/shop/staging',
    'environments shop staging',
    'Environment shop/staging',
    'envs staging --in shop',
  ])('accepts the notation %s', async (words) => {
    expect(await cli.ok(`get ${words} -o name`, admin)).toBe('environment/shop/staging\n');
  });

  it('lists one project, or all projects that the caller may see', async () => {
    const all = 'environment/blog/production\nenvironment/shop/production\nenvironment/shop/staging\n';
    expect(await cli.ok('get env -o name', admin)).toBe(all);
    expect(await cli.ok('get env/shop/ -o name', admin)).toBe(all.split('\n').slice(1).join('\n'));
    expect(await cli.ok('get env -o name', { as: 'member' })).toBe(all.split('\n').slice(1).join('\n'));
  });

  it('shows documents as JSON and YAML', async () => {
    const one = JSON.parse(await cli.ok('get serviceaccount/shop/ci -o json', admin));
    expect(one).toMatchObject({ in: 'shop', metadata: { name: 'ci' }, spec: { claims: { sub: 'repo:*' } } });
    const { items } = JSON.parse(await cli.ok('get service-accounts -o json', admin));
    expect(items).toEqual([one]);
    expect(fromYaml(await cli.ok('get projects -o yaml', admin), 'test')).toMatchObject([
      { metadata: { name: 'blog' } },
      { metadata: { name: 'shop' }, spec: { members: ['member@example.dev'] } },
    ]);
  });

  it('finds a kind by a prefix, with and without access to the resource kinds', async () => {
    expect(await cli.ok('get proje/shop -o name', admin)).toBe('project/shop\n');
    expect(await cli.ok('get proje -o name', { as: 'operator' })).toBe('');
    expect(await cli.run('get nothing', admin)).toMatchObject({ code: 4 });
  });

  it('prefers a resource kind when the prefix matches both', async () => {
    await cli.operator
      .resources({ group: 'platform.dev', version: 'v1alpha1', plural: 'resourcedefinitions' })
      .create({
        apiVersion: 'platform.dev/v1alpha1',
        kind: 'ResourceDefinition',
        metadata: { name: 'projections.maps.example' },
        spec: {
          group: 'maps.example',
          kind: 'Projection',
          plural: 'projections',
          versions: [{ name: 'v1', served: true, storage: true }],
        },
      });
    expect(await cli.ok('get proje', { as: 'operator' })).toBe('No projections found.\n');
    expect(await cli.ok('get projects', { as: 'operator' })).toBe('No projects found.\n');
  });

  it('prints one line with the problem and a hint', async () => {
    const failing = async (words: string, as: 'admin' | 'operator' = 'admin') => {
      const { code, err } = await cli.run(words, { as });
      return [code, err];
    };
    expect(await failing('get project/nope')).toEqual([
      5,
      'platform: There is no such project: projects/nope (not_found); platform get projects lists the existing ones\n',
    ]);
    expect(await failing('get team/core/more')).toEqual([
      2,
      'platform: too many names: core/more; expected team/<name>\n',
    ]);
    expect(await failing('get project uid:x')).toMatchObject([2, expect.stringContaining('project/<name>')]);
    expect(await failing('blockers project/shop', 'operator')).toEqual([
      2,
      'platform: projects is not a resource kind; projects, teams and what belongs to a project have no such command\n',
    ]);
  });
});

describe('platform kinds', () => {
  it('shows typed kinds to everyone, and resource kinds to operators', async () => {
    const operators = await cli.ok('kinds', { as: 'operator' });
    expect(operators).toMatch(/\nservice-accounts +ServiceAccount +- +- +Project +sa, sas\n/);
    expect(operators).toContain('organizations');
    const { code, out, err } = await cli.run('kinds', admin);
    expect([code, err]).toEqual([0, 'The resource kinds are not shown: no role binding names you.\n']);
    expect(out).not.toContain('organizations');
  });
});

describe('platform domain-challenges', () => {
  it('shows the TXT record of each host', async () => {
    const [heading, row] = await rows('domain-challenges shop shop.example.com');
    expect(heading).toEqual(['RECORD', 'TYPE', 'VALUE']);
    expect(row).toEqual([
      '_platform-challenge.shop.example.com',
      'TXT',
      expect.stringMatching(/^platform-challenge=[0-9a-f]{64}$/),
    ]);
    const { items } = JSON.parse(await cli.ok('domain-challenges shop shop.example.com --json', admin));
    expect(items).toHaveLength(1);
  });
});

describe('platform rotate-credential', () => {
  it('prints the new credential only, and increases the revision', async () => {
    const [, deployment] = (await cli.ok('get deployments -o name', admin)).trim().split('/').slice(1);
    const credential = await cli.ok(`rotate-credential shop ${deployment} --overlap 60`, admin);
    expect(credential).toMatch(/^[\w-]{43}\n$/);
    expect((await rows('get deployments -o wide'))[1]?.at(-1)).toBe('2');
  });
});
