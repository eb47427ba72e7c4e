import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { CliFixture } from './cli-fixture.ts';
import { given, registerSites } from './sites.ts';

const cli = new CliFixture();
const sites = { group: 'sites.example', version: 'v1', plural: 'sites' };
const site = (name: string) => cli.operator.resources<Record<string, unknown>>(sites).get(name);

beforeAll(() => registerSites(cli));

function file(name: string, text: string): string {
  const path = cli.path(name);
  writeFileSync(path, text);
  return path;
}

const siteYaml = (name: string, title: string, metadata = '') =>
  `apiVersion: sites.example/v1\nkind: Site\nmetadata:\n  name: ${name}\n${metadata}spec:\n  title: ${title}\n`;

describe('platform apply', () => {
  it('creates, changes with a diff, and leaves an equal resource unchanged', async () => {
    const path = file('one.yaml', siteYaml('one', 'First'));
    expect(await cli.ok(['apply', '-f', path])).toBe('site/one created\n');
    file('one.yaml', siteYaml('one', 'Second'));
    expect(await cli.ok(['apply', '-f', path])).toMatch(
      /^site\/one configured\n {2}@@ .* @@\n(.*\n)*? {2}- {2}title: First\n {2}\+ {2}title: Second\n$/,
    );
    expect(await cli.ok(['apply', '-f', path])).toBe('site/one unchanged\n');
    expect((await site('one')).metadata.revision).toBe(2);
  });

  it('reports every document that is not a resource, and applies nothing', async () => {
    const input = `${siteYaml('unread', 'x')}---\nkind: Site\n---\n[1]\n`;
    expect(await cli.run('apply -f -', { input })).toEqual({
      code: 7,
      out: '',
      err: 'platform: standard input (document 2): not a resource: apiVersion is missing; nothing was applied\n  standard input (document 3): not a resource (apiVersion, kind and metadata.name expected)\n',
    });
    await expect(site('unread')).rejects.toMatchObject({ code: 'not_found' });
    expect(await cli.run(['apply', '-f', cli.path('none.yaml')])).toMatchObject({
      code: 2,
      err: `platform: ${cli.path('none.yaml')}: file not found\n`,
    });
  });

  it.each(['', ' --dry-run=server', ' --atomic'])(
    'rejects what a resource cannot have, when it exists too%s',
    async (how) => {
      const name = `misspelt${how.length}`;
      await given(cli, name);
      const misspelt = `apiVersion: sites.example/v1\nkind: Site\nmetadata: {name: ${name}, lables: {a: b}}\nsepc: {title: x}\n`;
      const refused = await cli.run(`apply -f -${how}`, { input: misspelt });
      expect([refused.code, refused.out]).toEqual([7, '']);
      expect(refused.err).toContain('/metadata/lables');
      expect(refused.err).toContain('/sepc');
      const input = siteYaml(name, name, '  finalizers: ctrl.example/hold\n');
      expect(await cli.run(`apply -f -${how}`, { input })).toMatchObject({
        code: 7,
        err: expect.stringContaining('/metadata/finalizers'),
      });
      expect((await site(name)).metadata.revision).toBe(1);
    },
  );

  it('rejects a resource that is being deleted, changed or not', async () => {
    await given(cli, 'going', { finalizers: ['ctrl.example/hold'] });
    await cli.ok('delete site/going --yes');
    const err =
      'platform: standard input: cannot apply site/going: it is being deleted; apply it again after the deletion; platform pending shows its progress\n';
    for (const title of ['going', 'Other']) {
      const input = siteYaml('going', title);
      expect(await cli.run('apply -f -', { input })).toEqual({ code: 6, out: '', err });
    }
    await cli.ok('finalizers remove site/going ctrl.example/hold');
  });

  it('writes nothing in a dry run, also for kinds of the same files', async () => {
    const definition = JSON.stringify({
      apiVersion: 'platform.dev/v1alpha1',
      kind: 'ResourceDefinition',
      metadata: { name: 'dries.sites.example' },
      spec: {
        group: 'sites.example',
        kind: 'Dry',
        plural: 'dries',
        parent: { apiVersion: 'sites.example/v1', kind: 'Site' },
        versions: [{ name: 'v1', served: true, storage: true }],
      },
    });
    const input = `${siteYaml('dry', 'x')}---\n{"apiVersion":"sites.example/v1","kind":"Dry","in":"dry","metadata":{"name":"d"}}\n---\n${definition}\n`;
    expect(await cli.ok('apply --dry-run -f -', { input })).toBe(
      'resourcedefinition/dries.sites.example created (dry run)\nsite/dry created (dry run)\ndry/dry/d created (dry run)\n',
    );
    await expect(site('dry')).rejects.toMatchObject({ code: 'not_found' });
  });

  it('accepts directories and several documents in any order, and applies parents first', async () => {
    const directory = cli.path('tree');
    mkdirSync(join(directory, 'deeper'), { recursive: true });
    writeFileSync(
      join(directory, 'a.yaml'),
      'apiVersion: sites.example/v1\nkind: Page\nin: deep/news\nmetadata: {name: hello}\nspec: {title: Hello}\n---\napiVersion: sites.example/v1\nkind: Section\nin: [deep]\nmetadata: {name: news}\nspec: {title: News}\n',
    );
    writeFileSync(join(directory, 'b.yml'), siteYaml('deep', 'Deep'));
    writeFileSync(join(directory, 'notes.txt'), 'no resource');
    writeFileSync(
      join(directory, 'deeper', 'c.json'),
      JSON.stringify({
        apiVersion: 'sites.example/v1',
        kind: 'Site',
        metadata: { name: 'below' },
        spec: { title: 'b' },
      }),
    );
    expect(await cli.ok(['apply', '-f', directory])).toBe(
      'site/deep created\nsection/deep/news created\npage/deep/news/hello created\n',
    );
    expect(await cli.ok(['apply', '-R', '-f', directory])).toContain('site/below created\n');
  });

  it('keeps fields that the file omits: finalizers of controllers, annotations, owners', async () => {
    await given(cli, 'kept', { finalizers: ['ctrl.example/hold'], annotations: { by: 'hand' } });
    await cli.ok('apply -f -', { input: siteYaml('kept', 'Changed') });
    expect((await site('kept')).metadata).toMatchObject({
      finalizers: ['ctrl.example/hold'],
      annotations: { by: 'hand' },
    });
    await cli.ok('apply -f -', {
      input: siteYaml('kept', 'Changed', '  annotations: {by: file}\n  finalizers: []\n'),
    });
    expect((await site('kept')).metadata).toMatchObject({ finalizers: [], annotations: { by: 'file' } });
  });

  it.each(['', ' --dry-run', ' --dry-run=server', ' --atomic', ' --server-side'])(
    'applies the output of get, and rejects an outdated revision in it%s',
    async (how) => {
      const name = `round${how.length}`;
      await given(cli, name);
      const shown = await cli.ok(`get site ${name} -o yaml`);
      const changed = shown.replace(`title: ${name}`, 'title: Trip');
      expect(await cli.ok('apply -f -', { input: changed })).toContain(`site/${name} configured`);
      const { code, err } = await cli.run(`apply -f -${how}`, { input: shown });
      expect([code, err]).toEqual([
        6,
        expect.stringContaining(
          `site/${name} is at revision 2, but the file requires revision 1; read it again`,
        ),
      ]);
      expect((await site(name)).metadata.revision).toBe(2);
      const current = changed.replace('revision: 1', 'revision: 2');
      expect((await cli.run(`apply -f -${how}`, { input: current })).code).toBe(0);
      const renamed = changed.replace(`name: ${name}`, `name: copy${how.length}`);
      const note = how.includes('dry-run') ? ' (dry run)' : '';
      expect(await cli.ok(`apply -f -${how}`, { input: renamed })).toBe(
        `site/copy${how.length} created${note}\n`,
      );
    },
  );

  it('keeps the exact digits of every number', async () => {
    const input = siteYaml('exact', 'x').replace(
      'title: x',
      'title: x\n  big: 12345678901234567890\n  huge: 1e400',
    );
    await cli.ok('apply -f -', { input });
    await cli.ok('apply -f -', { input: input.replace('title: x', 'title: y') });
    const { text } = await cli.operator.send({
      method: 'GET',
      path: cli.operator.resources(sites).path('exact'),
    });
    expect(text).toMatch(/"big":\s*12345678901234567890/);
    expect(text).toMatch(/"huge":\s*1e400/);
  });

  it('continues after a failed document, prints each failure, and exits with the code of the first', async () => {
    const input = [
      siteYaml('good', 'x'),
      'apiVersion: sites.example/v1\nkind: Site\nmetadata: {name: bad}\nspec: {title: 1, more: x}\n',
      siteYaml('better', 'x'),
      'apiVersion: nowhere.example/v1\nkind: Thing\nmetadata: {name: t}\n',
      'apiVersion: sites.example/v1\nkind: Section\nmetadata: {name: s}\n',
    ].join('---\n');
    const { code, out, err } = await cli.run('apply -f -', { input });
    expect(out).toBe('site/good created\nsite/better created\n');
    expect(err.split('\n')).toEqual([
      expect.stringMatching(/^platform: standard input \(document 2\): .*\(schema_violation\)$/),
      expect.stringMatching(
        /^platform: standard input \(document 4\): kind Thing of nowhere\.example\/v1 does not exist; platform kinds lists the kinds$/,
      ),
      expect.stringMatching(
        /^platform: standard input \(document 5\): the ancestors of section\/<site>\/<name> are missing; add "in: <site>" to the document, or use --in$/,
      ),
      '',
    ]);
    expect(code).toBe(7);
  });

  it.each([
    ['kind: Site\n', 'apiVersion is missing'],
    ['- 1\n', 'not a resource'],
    ['a: [1\n', 'standard input: '],
    [
      'apiVersion: a/v1\nkind: A\nmetadata: {name: a}\nspec: {n: .inf}\n',
      '.inf cannot be represented in JSON',
    ],
    ['a: 1\na: 2\n', 'Map keys must be unique'],
    ['', 'no resources found'],
  ])('rejects %j', async (input, message) => {
    const { code, err } = await cli.run('apply -f -', { input });
    expect([code === 7 || code === 2, err]).toEqual([true, expect.stringContaining(message)]);
  });
});

describe('platform status and finalizers', () => {
  beforeAll(async () => void (await given(cli, 'subject')));

  it('writes the own slot or another one from a value, a file or standard input, and clears it', async () => {
    expect(
      await cli.ok([
        'status',
        'set',
        'site/subject',
        '--value',
        '{ready: true, count: 12345678901234567890}',
      ]),
    ).toBe('site/subject: status written, revision 2\n');
    await cli.ok([
      'status',
      'set',
      'site/subject',
      '--slot',
      'ctrl.example',
      '--file',
      file('status.json', '"fine"'),
    ]);
    await cli.ok('status set site subject --slot nothing.example', { input: 'null' });
    const shown = await cli.ok('get site subject -o yaml');
    expect(shown).toContain('\n    ctrl.example: fine\n');
    expect(shown).toContain(
      '\n    operator:operator@example.dev:\n      ready: true\n      count: 12345678901234567890\n',
    );
    await cli.ok('status clear site subject --slot ctrl.example');
    expect(Object.keys((await site('subject')).status.controllers)).toEqual([
      'operator:operator@example.dev',
    ]);
    expect((await cli.run('status set site/subject', { input: '' })).code).toBe(2);
    expect((await cli.run('status set site/subject -v 1 -f x')).code).toBe(2);
  });

  it('adds and removes finalizers', async () => {
    expect(await cli.ok('finalizers add site/subject a.example/x b.example/y')).toBe(
      'site/subject: finalizers a.example/x, b.example/y\n',
    );
    expect(await cli.ok('finalizers remove site/subject a.example/x b.example/y')).toBe(
      'site/subject: finalizers none\n',
    );
    const { code, err } = await cli.run('finalizers add site/subject system.platform.dev/x');
    expect([code, err]).toEqual([7, expect.stringContaining('(finalizer_reserved)')]);
  });
});
