import { mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fromYaml } from '../src/output/yaml.ts';
import { CliFixture } from './cli-fixture.ts';

const cli = new CliFixture();
const admin = { as: 'admin' } as const;

const platform = `
apiVersion: platform.dev/v1alpha1
kind: Deployment
in: shop
metadata: {}
spec: { environment: staging }
---
apiVersion: platform.dev/v1alpha1
kind: ServiceAccount
in: shop
metadata: { name: ci }
spec: { issuer_url: 'https://ci.example', claims: { aud: platform, sub: 'repo:acme/*' } }
---
apiVersion: platform.dev/v1alpha1
kind: Environment
in: shop
metadata: { name: staging }
---
apiVersion: platform.dev/v1alpha1
kind: Project
metadata: { name: shop }
spec: { url: 'https://shop.example.dev', owner: { team: makers }, members: [Carol@example.dev] }
---
apiVersion: platform.dev/v1alpha1
kind: Team
metadata: { name: makers }
spec: { members: [{ email: ann@example.dev, role: owner }] }
`;

function file(name: string, text: string): string {
  mkdirSync(cli.home, { recursive: true });
  writeFileSync(cli.path(name), text);
  return cli.path(name);
}

beforeAll(async () => {
  const file_ = file('platform.yaml', platform);
  const dry = await cli.run(`apply -f ${file_} --dry-run=server`, admin);
  expect([dry.code, dry.err]).toEqual([0, '']);
  expect(dry.out).toBe(
    [
      'team/makers created (dry run)',
      'project/shop created (dry run)',
      'environment/shop/staging created (dry run)',
      'serviceaccount/shop/ci created (dry run)',
      'deployment/shop/<new> created (dry run)',
      '',
    ].join('\n'),
  );
  expect(await cli.ok('get projects -o name', admin)).toBe('');
  const secrets = cli.path('secrets');
  const { code, out, err } = await cli.run(`apply -f ${file_} --secrets-dir ${secrets}`, admin);
  expect(code).toBe(0);
  expect(out.split('\n').slice(0, 4)).toEqual([
    'team/makers created',
    'project/shop created',
    'environment/shop/staging created',
    'serviceaccount/shop/ci created',
  ]);
  expect(err).toContain(`is in ${secrets}/deployment.shop.`);
});

describe('typed resources as documents', () => {
  it('keeps secrets out of the output: they are in files that only the user may read', async () => {
    const [name = ''] = readdirSync(cli.path('secrets'));
    const path = join(cli.path('secrets'), name);
    expect(name).toMatch(/^deployment\.shop\.[\w-]+\.bootstrap_credential$/);
    expect(statSync(path).mode & 0o777).toBe(0o600);
    const credential = readFileSync(path, 'utf8').trim();
    expect(credential).toMatch(/^[\w-]{43}$/);
    expect(await cli.ok('get deployments -o yaml', admin)).not.toContain(credential);
  });

  it('changes nothing when the documents are unchanged, also in the form that get prints', async () => {
    const outcomes = (text: string) =>
      text
        .trim()
        .split('\n')
        .map((line) => line.split(' ')[1]);
    expect(outcomes(await cli.ok(`apply -f ${cli.path('platform.yaml')}`, admin))).toEqual(
      Array(5).fill('unchanged'),
    );
    const before = await cli.ok('get project/shop -o json', admin);
    for (const kind of ['teams', 'projects', 'environments', 'service-accounts', 'deployments']) {
      const listed = file(`${kind}.yaml`, await cli.ok(`get ${kind} -o yaml`, admin));
      expect(new Set(outcomes(await cli.ok(`apply -f ${listed}`, admin)))).toEqual(new Set(['unchanged']));
      const json = file(`${kind}.json`, await cli.ok(`get ${kind} -o json`, admin));
      expect(await cli.ok(`diff -f ${json}`, admin)).toMatch(/^(.* unchanged \(dry run\)\n)+$/);
    }
    expect(await cli.ok('get project/shop -o json', admin)).toBe(before);
  });

  it('prints the document of a resource', async () => {
    expect(fromYaml(await cli.ok('get serviceaccount/shop/ci -o yaml', admin), 'test')).toEqual([
      {
        in: 'shop',
        apiVersion: 'platform.dev/v1alpha1',
        kind: 'ServiceAccount',
        metadata: {
          name: 'ci',
          uid: expect.any(String),
          revision: 1,
          creationTimestamp: expect.any(String),
        },
        spec: { issuer_url: 'https://ci.example', claims: { aud: 'platform', sub: 'repo:acme/*' } },
        status: { email: 'shop+ci@sa.platform.local' },
      },
    ]);
    expect(await cli.ok(['get', 'projects', '-o', 'jsonpath={.items[*].metadata.name}'], admin)).toBe('shop');
  });

  it('shows what the server would do, also where it spells a value in its own way', async () => {
    const text = platform
      .replace("'https://shop.example.dev'", "'HTTPS://Shop.Example.dev'")
      .replace('repo:acme/*', 'repo:acme/shop');
    const { code, out } = await cli.run(`diff -f ${file('changed.yaml', text)}`, admin);
    expect(code).toBe(1);
    expect(out).toContain('project/shop unchanged (dry run)\n');
    expect(out).toContain('serviceaccount/shop/ci configured (dry run)\n');
    expect(out).toMatch(/- +sub: repo:acme\/\*\n +\+ +sub: repo:acme\/shop\n/);
    expect(await cli.ok('get serviceaccount/shop/ci -o yaml', admin)).toContain('repo:acme/*');
  });

  it('reports what the server refuses in a dry run, and goes on with the others', async () => {
    const text = `${platform}---\napiVersion: platform.dev/v1alpha1\nkind: ServiceAccount\nin: shop\nmetadata: { name: bad }\nspec: { issuer_url: nonsense, claims: {} }\n`;
    const { code, out, err } = await cli.run(`apply -f ${file('bad.yaml', text)} --dry-run=server`, admin);
    expect(code).toBe(7);
    expect(err).toContain('bad.yaml (document 6)');
    expect(err).toContain('/issuer_url');
    expect(out).toContain('deployment/shop/');
  });

  it('refuses fields that such a document cannot have, a wrong version and a missing project', async () => {
    const refused = async (text: string) =>
      (await cli.run(`apply -f ${file('refused.yaml', text)}`, admin)).err;
    const head = 'apiVersion: platform.dev/v1alpha1\nkind: Environment\n';
    expect(await refused(`${head}in: shop\nmetadata: { name: a, labels: { a: b } }`)).toContain(
      '/metadata/labels: not a field of a Environment',
    );
    expect(await refused(`${head}metadata: { name: a }`)).toContain(
      'the project of environment a is missing',
    );
    expect(await refused(`${head.replace('Environment', 'Deployment')}spec: { environment: a }`)).toContain(
      'the project of deployment is missing',
    );
    expect(await refused(`${head}in: shop/a\nmetadata: { name: a }`)).toContain(
      'environment a is directly below its project, but "in" is shop/a; name the project alone',
    );
    expect(await refused(`${head.replace('v1alpha1', 'v9')}in: shop\nmetadata: { name: a }`)).toContain(
      'use platform.dev/v1alpha1',
    );
    expect(await refused(`${head}in: shop\nmetadata: { name: a }\nspec: { size: 1 }`)).toContain('size');
  });

  it('applies resources and typed resources of one repository together, parents first', async () => {
    const text = `
apiVersion: platform.dev/v1alpha1
kind: Project
metadata: { name: press }
spec: { organization: acme }
---
apiVersion: platform.dev/v1alpha1
kind: Organization
metadata: { name: acme }
`;
    const path = file('together.yaml', text);
    expect(await cli.ok(`apply -f ${path} --dry-run=server`)).toBe(
      'organization/acme created (dry run)\nproject/press created (dry run)\n',
    );
    expect(await cli.ok(`apply -f ${path}`)).toBe('organization/acme created\nproject/press created\n');
    expect((await cli.run(`apply -f ${path} --atomic`)).code).toBe(2);
  });

  it('is refused when the document names an older revision', async () => {
    const text =
      'apiVersion: platform.dev/v1alpha1\nkind: Team\nmetadata: { name: makers, revision: 7 }\nspec: { members: [] }\n';
    expect(await cli.run(`apply -f ${file('old.yaml', text)}`, admin)).toMatchObject({ code: 6 });
  });
});

describe('commands for one typed resource', () => {
  it('describes a project with what is in it, and draws its tree', async () => {
    const described = await cli.ok('describe project shop', admin);
    expect(described).toContain('Name:          project/shop\n');
    expect(described).toContain('  access_class: private\n');
    expect(described).toContain('  - serviceaccount/shop/ci\n');
    expect(await cli.ok('tree project/shop', admin)).toMatch(
      /^project\/shop\n├─ environment\/shop\/production\n/,
    );
    expect(await cli.ok('describe team makers', admin)).toContain('ann@example.dev');
  });

  it('edits one in the editor, and keeps what a concurrent change refuses', async () => {
    const editing = (change: (text: string) => string, meanwhile?: () => Promise<unknown>) => ({
      ...admin,
      env: { EDITOR: 'vi' },
      spawn: async (command: readonly string[]) => {
        const path = command.at(-1) as string;
        writeFileSync(path, change(readFileSync(path, 'utf8')));
        await meanwhile?.();
        return 0;
      },
    });
    const bob = (text: string) =>
      text.replace('members:\n', 'members:\n    - email: bob@example.dev\n      role: member\n');
    const { code, out } = await cli.run('edit team makers', editing(bob));
    expect([code, out.split('\n')[0]]).toEqual([0, 'team/makers configured']);
    const other = () => cli.api.as('admin', 'put', '/api/v1/teams/makers').send({ members: [] }).expect(200);
    const refused = await cli.run(
      'edit team makers',
      editing((text) => text.replace('role: member', 'role: owner'), other),
    );
    expect(refused.code).toBe(6);
    const [, kept] = /changes are kept in (\S+);/.exec(refused.err) ?? [];
    expect(readFileSync(kept as string, 'utf8')).toContain('kind: Team');
  });

  it('deletes one after a question, and not a newer version', async () => {
    expect(await cli.run('delete project/shop', { ...admin, input: '' })).toMatchObject({ code: 2 });
    const asked = await cli.run('delete project/shop', { ...admin, answers: ['n'] });
    expect(asked.err).toContain('├─ environment/shop/production');
    expect(await cli.ok('delete serviceaccount shop ci --yes', admin)).toBe(
      'serviceaccount/shop/ci deleted\n',
    );
    expect(await cli.ok('delete project/shop', { ...admin, answers: ['y'] })).toBe('project/shop deleted\n');
  });
});
