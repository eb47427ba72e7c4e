import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { people } from '@platform/api/testing';
import { CliFixture } from './cli-fixture.ts';
import { given, registerSites } from './sites.ts';

const cli = new CliFixture();
const platform = { group: 'platform.dev', version: 'v1alpha1' } as const;
const apiVersion = 'platform.dev/v1alpha1';
const member = { as: 'member' } as const;

beforeAll(async () => {
  await registerSites(cli);
  for (const path of ['blog', 'blog/news', 'blog/news/hello', 'shop', 'shop/news']) await given(cli, path);
  const definitions = cli.operator.resources({ ...platform, plural: 'resourcedefinitions' });
  await definitions.update('sections.sites.example', (definition) => {
    const spec = definition.spec as { readonly versions: readonly object[] };
    const columns = [{ name: 'Title', type: 'string', jsonPath: '.spec.title' }];
    const versions = spec.versions.map((version) => ({ ...version, additionalPrinterColumns: columns }));
    return { ...definition, spec: { ...spec, shortNames: ['sc'], versions } };
  });
  const role = { rules: [{ apiGroups: ['sites.example'], resources: ['*'], verbs: ['*'] }] };
  await cli.operator
    .resources({ ...platform, plural: 'roles' })
    .create({ apiVersion, kind: 'Role', metadata: { name: 'writer' }, spec: role });
  const { metadata } = await cli.operator
    .resources({ group: 'sites.example', version: 'v1', plural: 'sites' })
    .get('blog');
  const scope = { apiVersion: 'sites.example/v1', kind: 'Site', name: 'blog', uid: metadata.uid };
  const subjects = [{ kind: 'User', name: people.member }];
  await cli.operator.resources({ ...platform, plural: 'rolebindings' }).create({
    apiVersion,
    kind: 'RoleBinding',
    metadata: { name: 'writers' },
    spec: { roleRef: { name: 'writer' }, subjects, scope },
  });
});

describe('somebody who may not read definitions', () => {
  it('finds the kinds by their names and short names, with their columns', async () => {
    expect(await cli.run('get resourcedefinitions', member)).toMatchObject({ code: 4 });
    expect(await cli.ok('kinds', member)).toMatch(/\nsections +Section +sites\.example +v1\* +Site +sc\n/);
    expect(await cli.ok('get sc blog', member)).toMatch(/^SITE +NAME +TITLE .*\nblog +news +news /);
  });

  it('changes what a role binding gives, and nothing else', async () => {
    expect(await cli.ok('label page/blog/news/hello tier=front', member)).toContain('hello');
    expect(await cli.ok('get page/blog/news/hello -o jsonpath={.metadata.labels.tier}', member)).toContain(
      'front',
    );
    expect(await cli.ok('delete page/blog/news/hello --yes', member)).toContain('hello');
    expect(await cli.run('get sc shop', member)).toMatchObject({ code: 4 });
  });
});

describe('a server that does not list its kinds', () => {
  it('is asked for its definitions', async () => {
    const asked: string[] = [];
    const server = createServer((request, response) => {
      const { pathname } = new URL(request.url ?? '', 'http://localhost');
      asked.push(pathname);
      const isList = pathname.endsWith('/resourcedefinitions');
      response.writeHead(isList ? 200 : 404, { 'content-type': 'application/json' });
      const spec = { group: 'sites.example', kind: 'Site', plural: 'sites', parent: null, versions: [] };
      const problem = { type: 'about:blank', title: 'Not found', status: 404, code: 'not_found' };
      response.end(JSON.stringify(isList ? { items: [{ metadata: {}, spec }], metadata: {} } : problem));
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    const out = await cli.ok('kinds', { env: { PLATFORM_URL: url } }).finally(() => server.close());
    expect(out).toMatch(/\norganizations .*\nresourcedefinitions .*\nsites +Site +sites\.example/);
    expect(asked).toEqual([
      '/api/v1/resources',
      '/api/v1/resources/platform.dev/v1alpha1/resourcedefinitions',
    ]);
  });
});
