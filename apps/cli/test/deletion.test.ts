import { mkdirSync, writeFileSync } from 'node:fs';
import { CliFixture } from './cli-fixture.ts';
import { given, registerSites } from './sites.ts';

const cli = new CliFixture();

beforeAll(() => registerSites(cli));

describe('platform explain', () => {
  it('names the finalizer that keeps a deleted resource, and how to remove it', async () => {
    await given(cli, 'held');
    await given(cli, 'held/news');
    const page = await given(cli, 'held/news/one', { finalizers: ['nobody/x'] });
    await cli.ok('delete site/held --yes');
    const out = await cli.ok('explain site/held');
    expect(out).toContain('site/held is being deleted\n');
    expect(out).toContain('  finalizer: site/held > section/news > page/one\n');
    expect(out).toContain(
      `as operator: PUT /api/v1/resources/sites.example/v1/pages/uid:${page.metadata.uid}/finalizers`,
    );
    expect(JSON.parse(await cli.ok('explain site/held -o json'))).toHaveProperty('causes');
  });

  it('shows what a live resource depends on, and what depends on it', async () => {
    await given(cli, 'live');
    await given(cli, 'live/news');
    await given(cli, 'live/news/one');
    expect(await cli.ok('explain section/live/news')).toMatch(
      /^section\/live\/news is live\n {2}parent: site\/live\n {2}structuralChild: page\/one\n {2}revision 1: create by operator \S+ at \S+\n$/,
    );
  });
});

describe('platform protect', () => {
  it('refuses deletions until unprotect allows them', async () => {
    await given(cli, 'safe');
    await given(cli, 'safe/news');
    expect(await cli.ok('protect section/safe/news')).toBe('section/safe/news is protected\n');
    const { code, err } = await cli.run('delete site/safe --yes');
    expect([code, err]).toEqual([6, expect.stringContaining('protected')]);
    expect(await cli.ok('delete site/safe --plan')).toBe(
      [
        'site/safe would be deleted with 1 more',
        '  held: section/news',
        '  protected: section/news',
        'it is refused while something is protected; to allow it: platform unprotect <target>\n',
      ].join('\n'),
    );
    const itself = await cli.ok('delete section/safe/news --plan');
    expect(itself).toContain('  protected: section/news\nit is refused while something is protected');
    expect(await cli.ok('unprotect section/safe/news')).toBe('section/safe/news is not protected\n');
    await cli.ok('delete site/safe --yes');
  });
});

describe('platform delete --plan', () => {
  it('shows the plan, deletes exactly that, and refuses anything else', async () => {
    await given(cli, 'planned');
    await given(cli, 'planned/news');
    const out = await cli.ok('delete site/planned --plan');
    expect(out).toContain('site/planned would be deleted with 1 more\n  removed: section/news\n');
    const hash = /--plan ([0-9a-f]{64})/.exec(out)?.[1];
    await given(cli, 'planned/more');
    const { code, err } = await cli.run(`delete site/planned --plan ${hash}`);
    expect([code, err]).toEqual([6, expect.stringContaining('added: section/more')]);
    const again = /--plan ([0-9a-f]{64})/.exec(await cli.ok('delete site/planned --plan'))?.[1];
    await cli.ok(`delete site/planned --plan ${again}`);
  });
});

describe('platform kinds impact and migrate', () => {
  const definition = (versions: readonly object[]) =>
    JSON.stringify({
      apiVersion: 'platform.dev/v1alpha1',
      kind: 'ResourceDefinition',
      metadata: { name: 'notes.notes.example' },
      spec: { group: 'notes.example', kind: 'Note', plural: 'notes', versions },
    });
  const version = (name: string, storage: boolean, schema?: object) => ({
    name,
    served: true,
    storage,
    ...(schema === undefined ? {} : { schema }),
  });
  const file = (name: string, text: string) => {
    mkdirSync(cli.home, { recursive: true });
    writeFileSync(cli.path(name), text);
    return cli.path(name);
  };

  it('says of a definition that is not registered that no resource is stored at it', async () => {
    const { code, out } = await cli.run([
      'kinds',
      'impact',
      '-f',
      file('new.json', definition([version('v1', true)])),
    ]);
    expect([code, out]).toEqual([0, expect.stringContaining('notes.notes.example is not registered yet')]);
  });

  it('shows what would be refused, then rewrites with a transform and reports what it left out', async () => {
    await cli.ok(['apply', '-f', file('v1.json', definition([version('v1', true)]))]);
    const notes = cli.operator.resources({ group: 'notes.example', version: 'v1', plural: 'notes' });
    for (const [name, text] of [
      ['a', 'one'],
      ['b', 'two'],
      ['c', ''],
    ] as const) {
      await notes.create({
        apiVersion: 'notes.example/v1',
        kind: 'Note',
        metadata: { name },
        spec: { text },
      });
    }
    const strict = { type: 'object', required: ['title'] };
    const impact = await cli.run([
      'kinds',
      'impact',
      '-f',
      file('strict.json', definition([version('v1', true, strict)])),
    ]);
    expect(impact.code).toBe(1);
    expect(impact.out).toMatch(/notes\.notes\.example\s+v1\s+3\s+3/);
    expect(impact.out).toContain('note/a');

    const early = await cli.run('kinds migrate notes --to v2');
    expect([early.code, early.err]).toEqual([2, expect.stringContaining('v2 is not the storage version')]);
    const both = definition([version('v1', false), version('v2', true, strict)]);
    await cli.ok(['apply', '-f', file('v2.json', both)]);
    const transform = file(
      'transform.mjs',
      'export default ({ text }) => (text === "" ? undefined : { title: text });',
    );
    const { code, out } = await cli.run([
      'kinds',
      'migrate',
      'notes',
      '--to',
      'v2',
      '--rate',
      '1000',
      '--transform',
      transform,
    ]);
    expect([code, out]).toEqual([1, '2 notes rewritten at v2\nskipped note/c: the transform left it out\n']);
    const moved = cli.operator.resources({ group: 'notes.example', version: 'v2', plural: 'notes' });
    expect((await moved.get('a')).spec).toEqual({ title: 'one' });
    // The transform would lose the titles that it has made.
    const again = await cli.run(['kinds', 'migrate', 'notes', '--to', 'v2', '--transform', transform]);
    expect([again.code, again.out]).toEqual([
      1,
      '0 notes rewritten at v2, 2 in earlier runs\nskipped note/c: the transform left it out\n',
    ]);
    const without = await cli.run('kinds migrate notes --to v2 --rate 1000');
    expect([without.code, without.out]).toEqual([1, expect.stringContaining('skipped note/c: /spec')]);
    expect((await moved.get('a')).metadata.revision).toBe(2);
    await moved.delete('c');
    expect(await cli.ok('kinds migrate notes --to v2 --rate 1000')).toBe(
      '0 notes rewritten at v2, 2 in earlier runs\n',
    );
  });

  it('forgets an unfinished migration when the resources are rewritten at another version', async () => {
    const notes = cli.operator.resources({ group: 'notes.example', version: 'v2', plural: 'notes' });
    const transform = file('out.mjs', 'export default () => undefined;');
    await notes.create({
      apiVersion: 'notes.example/v2',
      kind: 'Note',
      metadata: { name: 'd' },
      spec: { title: 'four' },
    });
    const failing = file('only-a.mjs', 'export default (spec) => (spec.title === "one" ? spec : undefined);');
    const words = (version: string, module: string) => [
      ...['kinds', 'migrate', 'notes', '--to', version, '--rate', '1000', '--transform', module],
    ];
    expect((await cli.run(words('v2', failing))).out).toContain('1 notes rewritten at v2\n');
    await cli.ok(['apply', '-f', file('back.json', definition([version('v1', true), version('v2', false)]))]);
    expect((await cli.run(words('v1', transform))).code).toBe(1);
    await cli.ok(['apply', '-f', file('on.json', definition([version('v1', false), version('v2', true)]))]);
    expect(await cli.ok('kinds migrate notes --to v2 --rate 1000')).toBe('3 notes rewritten at v2\n');
  });

  it('continues where an earlier run was interrupted', async () => {
    const sections = cli.operator.resources({ group: 'sites.example', version: 'v1', plural: 'sections' });
    await given(cli, 'moved');
    for (const name of ['a', 'b', 'c']) await given(cli, `moved/${name}`);
    const failing = file(
      'failing.mjs',
      'export default (spec, { metadata: { name } }) => { if (name === "c") throw new Error("broken"); return spec; };',
    );
    const words = 'kinds migrate sections --to v1 --rate 1000';
    const { code, err } = await cli.run(`${words} --transform ${failing}`);
    expect([code, err]).toEqual([1, expect.stringMatching(/failed for section\/moved\/c: Error: broken;/)]);
    const { revision } = (await sections.in('moved').get('a')).metadata;
    expect(await cli.ok(words)).toMatch(/^\d+ sections rewritten at v1, [2-9] in earlier runs\n$/);
    expect((await sections.in('moved').get('a')).metadata.revision).toBe(revision);
    expect((await sections.in('moved').get('c')).metadata.revision).toBe(2);
  });
});
