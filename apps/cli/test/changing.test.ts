import { writeFileSync } from 'node:fs';
import { CliFixture } from './cli-fixture.ts';
import { given, registerSites } from './sites.ts';

const cli = new CliFixture();
const sites = { group: 'sites.example', version: 'v1', plural: 'sites' };
const site = (name: string) => cli.operator.resources<Record<string, unknown>>(sites).get(name);

beforeAll(() => registerSites(cli));

const yaml = (name: string, title: string, more = '') =>
  `apiVersion: sites.example/v1\nkind: Site\nmetadata:\n  name: ${name}\n${more}spec:\n  title: ${title}\n`;
const file = (name: string, text: string) => {
  writeFileSync(cli.path(name), text);
  return cli.path(name);
};

describe('platform apply --server-side', () => {
  it('creates, changes with a diff, and leaves an equal resource unchanged', async () => {
    const path = file('ssa.yaml', yaml('ssa', 'First'));
    expect(await cli.ok(['apply', '--server-side', '-f', path])).toBe('site/ssa created\n');
    file('ssa.yaml', yaml('ssa', 'Second'));
    expect(await cli.ok(['apply', '--server-side', '-f', path])).toMatch(
      /^site\/ssa configured\n.*- {2}title: First/s,
    );
    expect(await cli.ok(['apply', '--server-side', '-f', path])).toBe('site/ssa unchanged\n');
    expect((await site('ssa')).metadata.managedFields).toMatchObject([
      { manager: 'platform-cli', operation: 'Apply' },
    ]);
  });

  it('reports fields of other managers, and takes them over with --force-conflicts', async () => {
    const path = file('taken.yaml', yaml('taken', 'Mine'));
    await cli.ok([
      'apply',
      '--server-side',
      '--field-manager',
      'other',
      '-f',
      file('t.yaml', yaml('taken', 'Theirs')),
    ]);
    const refused = await cli.run(['apply', '--server-side', '-f', path]);
    expect(refused.code).toBe(6);
    expect(refused.err).toContain('conflict with "other": .spec.title');
    await cli.ok(['apply', '--server-side', '--force-conflicts', '-f', path]);
    expect((await site('taken')).spec).toEqual({ title: 'Mine' });
  });

  it('--prune deletes what it applied before and what no file has any more', async () => {
    const apply = ['apply', '--server-side', '--field-manager', 'pruner', '--prune', '-f'];
    await given(cli, 'bystander');
    await cli.ok([...apply, file('p.yaml', `${yaml('p1', 'x')}---\n${yaml('p2', 'x')}`)]);
    expect(await cli.ok([...apply, file('p.yaml', yaml('p1', 'x'))])).toBe(
      'site/p1 unchanged\nsite/p2 pruned\n',
    );
    await expect(site('p2')).rejects.toMatchObject({ code: 'not_found' });
    await site('bystander');
    expect((await cli.run(['apply', '--prune', '-f', cli.path('p.yaml')])).code).toBe(2);
  });
});

describe('platform apply --atomic', () => {
  it('refuses two documents for one resource', async () => {
    const one = (title: string) =>
      `apiVersion: sites.example/v1\nkind: Site\nmetadata: { name: twice }\nspec: { title: ${title} }\n`;
    await cli.ok(['apply', '-f', file('once.yaml', one('b'))]);
    const path = file('twice.yaml', `${one('a')}---\n${one('b')}`);
    expect(await cli.run(['apply', '--atomic', '-f', path])).toEqual({
      code: 7,
      out: '',
      err: `platform: ${path} (document 2): site/twice is described by ${path} (document 1) already; remove one of them, or apply without --atomic\n`,
    });
  });

  it('applies all documents or none', async () => {
    await given(cli, 'held', { finalizers: ['ctrl.example/hold'] });
    const broken = `${yaml('all1', 'x')}---\n${yaml('held', 'x', '  finalizers: [system.platform.dev/x]\n')}`;
    const refused = await cli.run(['apply', '--atomic', '-f', file('broken.yaml', broken)]);
    expect(refused.code).toBe(7);
    expect(refused.err).toContain('site/held');
    expect(refused.err).toContain('Nothing was changed.');
    await expect(site('all1')).rejects.toMatchObject({ code: 'not_found' });
    const path = file('fine.yaml', `${yaml('all1', 'x')}---\n${yaml('all2', 'y')}`);
    expect(await cli.ok(['apply', '--atomic', '-f', path])).toBe('site/all1 created\nsite/all2 created\n');
    expect(await cli.ok(['apply', '--atomic', '-f', path])).toBe(
      'site/all1 unchanged\nsite/all2 unchanged\n',
    );
    await cli.ok('finalizers remove site/held ctrl.example/hold');
  });

  it('lets the server check a dry run, also below parents of the same files', async () => {
    const section =
      'apiVersion: sites.example/v1\nkind: Section\nin: dryatom\nmetadata: {name: news}\nspec: {title: News}\n';
    const path = file('dry.yaml', `${section}---\n${yaml('dryatom', 'x')}`);
    expect(await cli.ok(['apply', '--atomic', '--dry-run=server', '-f', path])).toBe(
      'site/dryatom created (dry run)\nsection/dryatom/news created (dry run)\n',
    );
    await expect(site('dryatom')).rejects.toMatchObject({ code: 'not_found' });
    expect((await cli.run(['apply', '--atomic', '--dry-run', '-f', path])).code).toBe(2);
  });
});

describe('platform diff', () => {
  it('shows the changes, writes nothing, and ends with 1 when there are some', async () => {
    await cli.ok(['apply', '-f', file('d.yaml', yaml('differs', 'Old'))]);
    const path = file('d.yaml', yaml('differs', 'New'));
    const shown = await cli.run(['diff', '-f', path]);
    expect(shown.code).toBe(1);
    expect(shown.out).toMatch(
      /^site\/differs configured \(dry run\)\n.*- {2}title: Old\n {2}\+ {2}title: New/s,
    );
    expect((await site('differs')).spec).toEqual({ title: 'Old' });
    await cli.ok(['apply', '-f', path]);
    expect(await cli.ok(['diff', '-f', path])).toBe('site/differs unchanged (dry run)\n');
  });
});

describe('platform patch, label and annotate', () => {
  it('patch changes parts of a resource, and of a status slot', async () => {
    await given(cli, 'patched');
    expect(await cli.ok(['patch', 'site/patched', '-p', '{spec: {title: Other, n: 1.10}}'])).toBe(
      'site/patched patched, revision 2\n',
    );
    const json = '[{"op":"test","path":"/spec/title","value":"Other"},{"op":"remove","path":"/spec/n"}]';
    await cli.ok(['patch', 'site', 'patched', '--type', 'json', '-p', json]);
    await cli.ok(['patch', 'site/patched', '--subresource', 'status', '-p', '{"status":{"ready":true}}']);
    expect(await site('patched')).toMatchObject({ metadata: { revision: 4 }, spec: { title: 'Other' } });
    expect((await cli.run(['patch', 'site/patched', '--type', 'json', '-p', json])).code).toBe(7);
    expect((await cli.run(['patch', 'site/patched', '--type', 'json', '-p', '{}'])).code).toBe(7);
    expect((await cli.run(['patch', 'site/patched'])).code).toBe(2);
    expect(
      await cli.ok([
        'patch',
        'site/patched',
        '-n',
        '-p',
        '{"spec":{}, "metadata":{"annotations":{"a":"b"}}}',
      ]),
    ).toBe('site/patched patched, revision 5 (dry run)\n');
  });

  it('label and annotate set and remove keys', async () => {
    await given(cli, 'labelled');
    expect(await cli.ok('label site/labelled tier=web env=dev')).toBe(
      'site/labelled: labels env=dev, tier=web\n',
    );
    expect(await cli.run('label site labelled tier=db')).toMatchObject({
      code: 6,
      err: 'platform: label tier has the value web; pass --overwrite to change it\n',
    });
    expect(await cli.ok('label site labelled --overwrite tier=db env-')).toBe(
      'site/labelled: labels tier=db\n',
    );
    expect(await cli.ok('annotate site/labelled example.dev/owner=ann')).toBe(
      'site/labelled: annotations example.dev/owner=ann\n',
    );
    expect((await cli.run('label site/labelled')).code).toBe(2);
  });
});
