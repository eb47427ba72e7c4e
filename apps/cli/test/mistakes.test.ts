import { once } from 'node:events';
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { dirname } from 'node:path';
import { text } from 'node:stream/consumers';
import type { PlatformError } from 'platform-service-client';
import { CliFixture } from './cli-fixture.ts';
import { given, registerSites } from './sites.ts';

const cli = new CliFixture();
const sites = { group: 'sites.example', version: 'v1', plural: 'sites' };
const site = (name: string) => cli.operator.resources<Record<string, unknown>>(sites).get(name);
const failing = async (words: string | readonly string[], options = {}) => {
  const { code, err } = await cli.run(words, options);
  return [code, err];
};

beforeAll(async () => {
  await registerSites(cli);
  for (const path of ['blog', 'blog/news']) await given(cli, path);
});

describe('suggestions', () => {
  it.each([
    ['gt sites', 'get'],
    ['aply -f x', 'apply'],
    ['get sectoins', 'sections'],
    ['get secton', 'section'],
    ['get sites --outptu yaml', '--output'],
  ])('platform %s: did you mean %s?', async (words, suggestion) => {
    const [, err] = await failing(words);
    expect(err).toContain(`(did you mean ${suggestion}?)`);
  });

  it.each(['wait site blog', 'create', 'auth', 'logs', 'get volcanos'])(
    'platform %s: suggests nothing unrelated',
    async (words) => {
      const [code, err] = await failing(words);
      expect([code === 2 || code === 5, err]).toEqual([true, expect.not.stringContaining('did you mean')]);
    },
  );
});

describe('platform edit', () => {
  const editing = (during: () => Promise<unknown>, from: string, to: string) => ({
    spawn: async (command: readonly string[]) => {
      const path = command.at(-1) as string;
      const content = readFileSync(path, 'utf8');
      // Changes the content once: after an error, the same content is saved, which cancels.
      if (!content.includes(to)) writeFileSync(path, content.replace(from, to));
      await during();
      return 0;
    },
  });

  it('succeeds although a status was written and a finalizer was added in the meantime', async () => {
    await given(cli, 'edited');
    const collection = cli.operator.resources(sites);
    const during = async () => {
      await collection.setStatus('edited', { ready: true });
      await collection.changeFinalizers('edited', { add: ['ctrl.example/hold'] });
    };
    const { code, out, err } = await cli.run(
      'edit site edited',
      editing(during, 'title: edited', 'title: New'),
    );
    expect([code, err, out]).toEqual([0, '', expect.stringContaining('+  title: New')]);
    expect(await site('edited')).toMatchObject({
      spec: { title: 'New' },
      metadata: { finalizers: ['ctrl.example/hold'] },
    });
  });

  it('keeps a conflicting edit of a child as a file that apply accepts', async () => {
    await given(cli, 'blog/kept');
    const sections = cli.operator.resources({ ...sites, plural: 'sections' }).in('blog');
    const during = () => sections.update('kept', (now) => ({ ...now, spec: { title: 'Theirs' } }));
    const [code, err] = await failing(
      'edit section/blog/kept',
      editing(during, 'title: kept', 'title: Mine'),
    );
    const [, path = ''] = /your changes are kept in (\S+);/.exec(String(err)) ?? [];
    expect(code).toBe(6);
    expect(await cli.ok(['apply', '-f', path])).toContain('section/blog/kept configured');
    rmSync(dirname(path), { recursive: true });
  });

  it('keeps nothing when nothing was written', async () => {
    let path = '';
    const spawn = (command: readonly string[]) => {
      path = command.at(-1) as string;
      return 1;
    };
    const [code, err] = await failing('edit site blog', { spawn });
    expect([code, err]).toEqual([1, expect.not.stringContaining('kept')]);
    expect(existsSync(dirname(path))).toBe(false);
  });

  it('reports an unknown field instead of ignoring it', async () => {
    const [code, err] = await failing(
      'edit site blog',
      editing(async () => undefined, 'spec:', 'specs: 1\nspec:'),
    );
    expect([code, err]).toEqual([7, expect.stringContaining('/specs')]);
    const [, path = ''] = /your changes are kept in (\S+);/.exec(String(err)) ?? [];
    rmSync(dirname(path), { recursive: true });
  });
});

describe('platform finalizers', () => {
  it('accepts spaces instead of slashes in the target', async () => {
    expect(await cli.ok('finalizers add section blog news a.example/x b.example/y')).toBe(
      'section/blog/news: finalizers a.example/x, b.example/y\n',
    );
    expect(await cli.ok('finalizers remove section/blog news a.example/x b.example/y')).toBe(
      'section/blog/news: finalizers none\n',
    );
    expect(await failing('finalizers add section blog news')).toEqual([
      2,
      'platform: missing argument: finalizer; expected section/<site>/<name> <finalizer>, such as ctrl.example/cleanup\n',
    ]);
  });

  it('reports a finalizer that the resource does not have', async () => {
    await given(cli, 'held', { finalizers: ['ctrl.example/hold'] });
    expect(await failing('finalizers remove site/held ctrl.example/hodl')).toEqual([
      5,
      'platform: site/held does not have the finalizer ctrl.example/hodl; it has: ctrl.example/hold\n',
    ]);
  });
});

describe('platform describe', () => {
  it('names the finalizer that blocks the removal of a tombstone', async () => {
    await given(cli, 'stuck', { finalizers: ['ctrl.example/hold'] });
    await cli.ok('delete site/stuck --yes');
    expect(await cli.ok('describe site stuck')).toContain(
      'Blocking deletion:\n  Its own finalizers: ctrl.example/hold\n',
    );
  });
});

describe('platform apply', () => {
  const section = (within: string, version = 'v1') =>
    `apiVersion: sites.example/${version}\nkind: Page\n${within}metadata: {name: s}\nspec: {title: s}\n`;

  it('says how many ancestors are missing', async () => {
    expect(await failing('apply -f -', { input: section('in: blog\n') })).toEqual([
      7,
      'platform: standard input: "in" names 1 of 2 ancestors of page/<site>/<section>/<name>: blog; add "in: <site>/<section>" to the document, or use --in\n',
    ]);
  });

  it('names the parent that does not exist', async () => {
    expect(await failing('apply -f -', { input: section('in: blog/nws\n') })).toEqual([
      5,
      'platform: standard input: cannot create page/blog/nws/s: its parent section/blog/nws does not exist; create the parent first, or correct "in"\n',
    ]);
  });

  it('names the served versions', async () => {
    expect(await failing('apply -f -', { input: section('in: blog/news\n', 'v2') })).toEqual([
      5,
      'platform: standard input: version v2 of Page is not served; use v1\n',
    ]);
  });

  it.each([
    ['parent: {group: platform.dev, kind: Organization}, versions: [{name: v1}]'],
    ['parent: blog, versions: [{name: v1}]'],
    ['parent: null, versions: [null]'],
    ['parent: null, shortNames: 7, versions: v1'],
  ])('names what is wrong with a definition, and the kind that is missing then: %s', async (more) => {
    const spec = `{group: wrong.example, kind: Wrong, plural: wrongs, ${more}}`;
    const input = `apiVersion: platform.dev/v1alpha1\nkind: ResourceDefinition\nmetadata: {name: wrongs.wrong.example}\nspec: ${spec}\n---\napiVersion: wrong.example/v1\nkind: Wrong\nmetadata: {name: w}\nspec: {}\n`;
    const { code, err } = await cli.run('apply -f -', { input });
    expect(code).not.toBe(0);
    expect(err).toMatch(/\(document 1\).*\/spec\//);
    expect(err).toContain('(document 2): kind Wrong of wrong.example/v1 does not exist');
    expect(err).not.toMatch(/undefined|TypeError/);
  });

  it('is not stopped by a controller that writes the status often', async () => {
    await given(cli, 'busy');
    let conflicts = 12;
    // Forwards requests to the API, and writes the status before each of the first replacements.
    const proxy = createServer(async (request, response) => {
      const { method = '', url: path = '' } = request;
      const body = await text(request);
      if (method === 'PUT' && conflicts-- > 0)
        await cli.operator.resources(sites).setStatus('busy', { conflicts });
      const sent = cli.operator.send({ method, path, ...(body === '' ? {} : { body }) });
      const { status, reply } = await sent.then(
        (received) => ({ status: received.status, reply: received.text }),
        (error: PlatformError) => ({ status: error.status, reply: JSON.stringify(error.members) }),
      );
      response.writeHead(status, { 'Content-Type': 'application/json' }).end(reply);
    }).listen(0, '127.0.0.1');
    await once(proxy, 'listening');
    const url = `http://127.0.0.1:${(proxy.address() as AddressInfo).port}`;
    const input = 'apiVersion: sites.example/v1\nkind: Site\nmetadata: {name: busy}\nspec: {title: new}\n';
    try {
      const out = await cli.ok('apply --no-diff -f -', { input, env: { PLATFORM_URL: url } });
      expect([out, conflicts]).toEqual(['site/busy configured\n', -1]);
    } finally {
      proxy.close();
    }
  });

  it('says in a dry run that the server has not validated the documents', async () => {
    const input = 'apiVersion: sites.example/v1\nkind: Site\nmetadata: {name: dry}\nspec: {title: 7}\n';
    const { code, out, err } = await cli.run('apply --dry-run -f -', { input });
    expect([code, out]).toEqual([0, 'site/dry created (dry run)\n']);
    expect(err).toBe(
      'Compared only with the stored resources: the server has not validated the documents.\n',
    );
  });
});

it('names the definition whose resources must be deleted first', async () => {
  expect(await failing('delete rd/sites.sites.example --yes')).toEqual([
    6,
    expect.stringContaining(
      'first delete its resources (platform get sites.sites.example lists them), and the definitions that name it as parent: sections.sites.example',
    ),
  ]);
});

it.each([
  'patch site/blog --patch-file',
  'status set site/blog --file',
  'api /api/v1/projects -f',
  'login --with-token',
  'token exchange -f',
])('%s <directory> names the directory', async (words) => {
  const [code, err] = await failing([...words.split(' '), cli.home]);
  expect([code, err]).toEqual([2, `platform: ${cli.home}: it is a directory, but a file is required\n`]);
});
