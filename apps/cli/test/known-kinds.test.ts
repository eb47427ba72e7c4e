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

describe('a replica of release 0.24, which does not list its kinds', () => {
  it('is named as older than the command line, with what to do', async () => {
    const server = createServer((request, response) => {
      const { pathname } = new URL(request.url ?? '', 'http://localhost');
      const status = pathname === '/api/v1/resources' ? 400 : 500;
      response.writeHead(status, { 'content-type': 'application/problem+json' });
      const detail = 'The path has an empty segment.';
      response.end(
        JSON.stringify({ type: 'about:blank', title: '', status, code: 'malformed_path', detail }),
      );
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    try {
      for (const words of ['kinds', 'get sites', 'delete site/blog --yes', 'get sites -l tier=front']) {
        const { code, err } = await cli.run(words, { env: { PLATFORM_URL: url } });
        expect([words, code]).toEqual([words, 1]);
        expect(err).toMatch(/is of an older release than this command line .*; upgrade the service first/);
      }
    } finally {
      server.close();
    }
  });
});
