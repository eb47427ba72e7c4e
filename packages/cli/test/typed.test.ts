import { fromYaml } from '../src/output/yaml.ts';
import { CliWorld } from './world.ts';

const world = new CliWorld();

async function post(path: string, body: object): Promise<void> {
  await world.api.as('admin', 'post', path).send(body).expect(201);
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
  (await world.ok(words, { as }))
    .trimEnd()
    .split('\n')
    .map((line) => line.split(/ {3,}/));

describe('platform get of projects and what is below them', () => {
  it('shows each kind as a table of what it is about', async () => {
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
    expect((await rows('get deployments -o wide'))[0]).toEqual(['PROJECT', 'NAME', 'ENVIRONMENT', 'AGE']);
    expect(await world.ok('get extensions', admin)).toBe('No extensions here.\n');
  });

  it.each([
    'env/shop/staging',
    'environments shop staging',
    'Environment shop/staging',
    'envs staging --in shop',
  ])('takes it as people type it: %s', async (words) => {
    expect(await world.ok(`get ${words} -o name`, admin)).toBe('environment/shop/staging\n');
  });

  it('lists one project, or all that the caller may see', async () => {
    const all = 'environment/blog/production\nenvironment/shop/production\nenvironment/shop/staging\n';
    expect(await world.ok('get env -o name', admin)).toBe(all);
    expect(await world.ok('get env/shop/ -o name', admin)).toBe(all.split('\n').slice(1).join('\n'));
    expect(await world.ok('get env -o name', { as: 'member' })).toBe(all.split('\n').slice(1).join('\n'));
  });

  it('shows what the API answers as JSON and as YAML', async () => {
    const one = JSON.parse(await world.ok('get serviceaccount/shop/ci -o json', admin));
    expect(one).toMatchObject({ name: 'ci', claims: { sub: 'repo:*' } });
    const { items } = JSON.parse(await world.ok('get service-accounts -o json', admin));
    expect(items).toEqual([one]);
    expect(fromYaml(await world.ok('get projects -o yaml', admin), 'test')).toMatchObject([
      { name: 'blog' },
      { name: 'shop', members: ['member@example.dev'] },
    ]);
  });

  it('finds a kind by the beginning of its name, for who may see the other kinds and for who may not', async () => {
    expect(await world.ok('get proje/shop -o name', admin)).toBe('project/shop\n');
    expect(await world.ok('get proje -o name', { as: 'operator' })).toBe('');
    expect(await world.run('get nothing', admin)).toMatchObject({ code: 4 });
  });

  it('leaves a name to the resources that are called so, when it is not a whole one', async () => {
    await world.operator
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
    expect(await world.ok('get proje', { as: 'operator' })).toBe('No projections here.\n');
    expect(await world.ok('get projects', { as: 'operator' })).toBe('No projects here.\n');
  });

  it('says in one line what is wrong, and the way out', async () => {
    const told = async (words: string, as: 'admin' | 'operator' = 'admin') => {
      const { code, err } = await world.run(words, { as });
      return [code, err];
    };
    expect(await told('get project/nope')).toEqual([
      5,
      'platform: There is no such project: projects/nope (not_found); platform get projects lists what there is\n',
    ]);
    expect(await told('get team/core/more')).toEqual([
      2,
      'platform: core/more has too many names; such as team/<name>\n',
    ]);
    expect(await told('get project uid:x')).toMatchObject([2, expect.stringContaining('project/<name>')]);
    expect(await told('tree project/shop', 'operator')).toEqual([
      2,
      'platform: this command is for resources, which projects are not; platform get shows them, platform api changes them\n',
    ]);
  });
});

describe('platform kinds', () => {
  it('shows the kinds of the typed API to everyone, and the others to operators', async () => {
    const operators = await world.ok('kinds', { as: 'operator' });
    expect(operators).toMatch(/\nservice-accounts +ServiceAccount +- +- +Project +sa, sas\n/);
    expect(operators).toContain('organizations');
    const { code, out, err } = await world.run('kinds', admin);
    expect([code, err]).toEqual([0, 'There are more, which are for operators.\n']);
    expect(out).not.toContain('organizations');
  });
});
