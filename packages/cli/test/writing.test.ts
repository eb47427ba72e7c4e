import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { systemTimers } from '@platform/client';
import { run } from '../src/run.ts';
import type { FakeTerminal } from './fake-terminal.ts';
import { given, registerSites } from './sites.ts';
import { CliWorld } from './world.ts';

const world = new CliWorld();
const sites = { group: 'sites.example', version: 'v1', plural: 'sites' };
const site = (name: string) => world.operator.resources<Record<string, unknown>>(sites).get(name);

beforeAll(() => registerSites(world));

function file(name: string, text: string): string {
  const path = world.path(name);
  writeFileSync(path, text);
  return path;
}

const siteYaml = (name: string, title: string, metadata = '') =>
  `apiVersion: sites.example/v1\nkind: Site\nmetadata:\n  name: ${name}\n${metadata}spec:\n  title: ${title}\n`;

describe('platform apply', () => {
  it('creates, then changes with a diff, then finds nothing to do', async () => {
    const path = file('one.yaml', siteYaml('one', 'First'));
    expect(await world.ok(['apply', '-f', path])).toBe('site/one created\n');
    file('one.yaml', siteYaml('one', 'Second'));
    expect(await world.ok(['apply', '-f', path])).toMatch(
      /^site\/one configured\n {2}@@ .* @@\n(.*\n)*? {2}- {2}title: First\n {2}\+ {2}title: Second\n$/,
    );
    expect(await world.ok(['apply', '-f', path])).toBe('site/one unchanged\n');
    expect((await site('one')).metadata.revision).toBe(2);
  });

  it('tells every document that is no resource, and applies none of that input', async () => {
    const input = `${siteYaml('unread', 'x')}---\nkind: Site\n---\n[1]\n`;
    expect(await world.run('apply -f -', { input })).toEqual({
      code: 7,
      out: '',
      err: 'platform: standard input (document 2): apiVersion is missing; nothing was applied\n  standard input (document 3): is no resource\n',
    });
    await expect(site('unread')).rejects.toMatchObject({ code: 'not_found' });
    expect(await world.run(['apply', '-f', world.path('none.yaml')])).toMatchObject({
      code: 2,
      err: `platform: ${world.path('none.yaml')}: there is no such file\n`,
    });
  });

  it('refuses what is being deleted, changed or not', async () => {
    await given(world, 'going', { finalizers: ['ctrl.example/hold'] });
    await world.ok('delete site/going --yes');
    const told =
      'platform: standard input: site/going is being deleted; apply it again when it is gone: platform pending\n';
    for (const title of ['going', 'Other']) {
      const input = siteYaml('going', title);
      expect(await world.run('apply -f -', { input })).toEqual({ code: 6, out: '', err: told });
    }
    await world.ok('finalizers remove site/going ctrl.example/hold');
  });

  it('writes nothing in a dry run, kinds of the same files included', async () => {
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
    expect(await world.ok('apply --dry-run -f -', { input })).toBe(
      'resourcedefinition/dries.sites.example created (dry run)\nsite/dry created (dry run)\ndry/dry/d created (dry run)\n',
    );
    await expect(site('dry')).rejects.toMatchObject({ code: 'not_found' });
  });

  it('takes directories, several documents and any order: what is above comes first', async () => {
    const directory = world.path('tree');
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
    expect(await world.ok(['apply', '-f', directory])).toBe(
      'site/deep created\nsection/deep/news created\npage/deep/news/hello created\n',
    );
    expect(await world.ok(['apply', '-R', '-f', directory])).toContain('site/below created\n');
  });

  it('keeps what the file does not speak of: finalizers of controllers, annotations, owners', async () => {
    await given(world, 'kept', { finalizers: ['ctrl.example/hold'], annotations: { by: 'hand' } });
    await world.ok('apply -f -', { input: siteYaml('kept', 'Changed') });
    expect((await site('kept')).metadata).toMatchObject({
      finalizers: ['ctrl.example/hold'],
      annotations: { by: 'hand' },
    });
    await world.ok('apply -f -', {
      input: siteYaml('kept', 'Changed', '  annotations: {by: file}\n  finalizers: []\n'),
    });
    expect((await site('kept')).metadata).toMatchObject({ finalizers: [], annotations: { by: 'file' } });
  });

  it('takes what get has shown, and refuses when the revision in it is old', async () => {
    await given(world, 'round');
    const shown = await world.ok('get site round -o yaml');
    const changed = shown.replace('title: round', 'title: Trip');
    expect(await world.ok('apply -f -', { input: changed })).toContain('site/round configured');
    const { code, err } = await world.run('apply -f -', { input: shown });
    expect([code, err]).toEqual([6, expect.stringMatching(/has the revision 2, the file 1; read it again/)]);
    const renamed = changed.replace('name: round', 'name: copy');
    expect(await world.ok('apply -f -', { input: renamed })).toBe('site/copy created\n');
  });

  it('keeps every number to the digit', async () => {
    const input = siteYaml('exact', 'x').replace(
      'title: x',
      'title: x\n  big: 12345678901234567890\n  huge: 1e400',
    );
    await world.ok('apply -f -', { input });
    await world.ok('apply -f -', { input: input.replace('title: x', 'title: y') });
    const { text } = await world.operator.send({
      method: 'GET',
      path: world.operator.resources(sites).path('exact'),
    });
    expect(text).toMatch(/"big":\s*12345678901234567890/);
    expect(text).toMatch(/"huge":\s*1e400/);
  });

  it('goes on after a document that fails, tells each failure, and ends with the first', async () => {
    const input = [
      siteYaml('good', 'x'),
      'apiVersion: sites.example/v1\nkind: Site\nmetadata: {name: bad}\nspec: {title: 1, more: x}\n',
      siteYaml('better', 'x'),
      'apiVersion: nowhere.example/v1\nkind: Thing\nmetadata: {name: t}\n',
      'apiVersion: sites.example/v1\nkind: Section\nmetadata: {name: s}\n',
    ].join('---\n');
    const { code, out, err } = await world.run('apply -f -', { input });
    expect(out).toBe('site/good created\nsite/better created\n');
    expect(err.split('\n')).toEqual([
      expect.stringMatching(/^platform: standard input \(document 2\): .*\(schema_violation\)$/),
      expect.stringMatching(
        /^platform: standard input \(document 4\): there is no kind Thing of nowhere\.example\/v1; platform kinds$/,
      ),
      expect.stringMatching(
        /^platform: standard input \(document 5\): section\/<site>\/<name> needs what is above it; "in: <site>" in the document, or --in$/,
      ),
      '',
    ]);
    expect(code).toBe(7);
  });

  it.each([
    ['kind: Site\n', 'apiVersion is missing'],
    ['- 1\n', 'is no resource'],
    ['a: [1\n', 'standard input: '],
    ['apiVersion: a/v1\nkind: A\nmetadata: {name: a}\nspec: {n: .inf}\n', '.inf is no number'],
    ['a: 1\na: 2\n', 'Map keys must be unique'],
    ['', 'there is no resource'],
  ])('refuses %j', async (input, message) => {
    const { code, err } = await world.run('apply -f -', { input });
    expect([code === 7 || code === 2, err]).toEqual([true, expect.stringContaining(message)]);
  });
});

describe('platform edit', () => {
  const editing = (change: (text: string) => string, seen: string[] = []) => ({
    env: { EDITOR: 'editor --wait' },
    spawn: (command: readonly string[]) => {
      const path = command.at(-1) as string;
      const text = readFileSync(path, 'utf8');
      seen.push(`${command.slice(0, -1).join(' ')}\n${text}`);
      writeFileSync(path, change(text));
      return 0;
    },
  });

  it('opens what a person decides about, sends what was changed, and shows it', async () => {
    await given(world, 'edited');
    const seen: string[] = [];
    const out = await world.ok(
      'edit site edited',
      editing((text) => text.replace('title: edited', 'title: Better'), seen),
    );
    expect(out).toMatch(/^site\/edited configured\n(.*\n)* {2}\+ {2}title: Better\n$/);
    expect(seen[0]).toMatch(/^editor --wait\n# site\/edited, revision 1\./);
    expect(seen[0]).not.toMatch(/status|uid/);
    expect((await site('edited')).spec).toEqual({ title: 'Better' });
  });

  it('leaves a resource alone that was not changed', async () => {
    expect(
      await world.ok(
        'edit site edited',
        editing((text) => text),
      ),
    ).toBe('site/edited unchanged\n');
    expect(
      await world.ok(
        'edit site edited',
        editing(() => ''),
      ),
    ).toBe('site/edited unchanged\n');
  });

  it('opens the editor again with what was wrong', async () => {
    const seen: string[] = [];
    const out = await world.ok(
      'edit site edited',
      editing(
        (text) =>
          seen.length === 1
            ? text.replace('title: Better', 'title: 7')
            : text.replace('title: 7', 'title: Seven'),
        seen,
      ),
    );
    expect(seen[1]).toMatch(/# .*schema_violation/);
    expect(seen[1]).toContain('title: 7');
    expect(out).toContain('title: Seven');
  });

  it('never overwrites what somebody else did meanwhile, and keeps what was written', async () => {
    const { spawn } = editing((text) => text.replace('title: Seven', 'title: Mine'));
    const { code, err } = await world.run('edit site edited', {
      env: { VISUAL: 'v', EDITOR: 'e' },
      spawn: async (command) => {
        expect(command[0]).toBe('v');
        await world.operator
          .resources(sites)
          .update('edited', (now) => ({ ...now, spec: { title: 'Theirs' } }));
        return spawn(command);
      },
    });
    const [, directory = ''] = /what you wrote is kept in (\S+)/.exec(err) ?? [];
    expect([code, err]).toEqual([6, expect.stringContaining('(revision_conflict)')]);
    expect(readFileSync(join(directory, 'edited.yaml'), 'utf8')).toContain('title: Mine');
    expect((await site('edited')).spec).toEqual({ title: 'Theirs' });
    rmSync(directory, { recursive: true });
  });

  it('gives up when what was refused is saved as it is, or the editor fails', async () => {
    const stubborn = await world.run(
      'edit site edited',
      editing((text) => text.replace(/title: .*/, 'title: 7')),
    );
    expect([stubborn.code, stubborn.err]).toEqual([7, expect.stringContaining('schema_violation')]);
    const broken = await world.run('edit site edited', { spawn: () => 3 });
    expect([broken.code, broken.err]).toEqual([1, expect.stringMatching(/vi ended with 3/)]);
  });
});

describe('platform delete', () => {
  it('shows what goes with a resource, and asks', async () => {
    for (const path of ['gone', 'gone/a', 'gone/a/b']) await given(world, path);
    const no = await world.run('delete site gone', { answers: ['n'] });
    expect([no.code, no.out]).toEqual([1, '']);
    expect(no.err).toContain('└─ section/gone/a  [child, blocks]\n   └─ page/gone/a/b  [child, blocks]\n');
    expect(no.err).toMatch(/Delete site\/gone and 2 more\? \[y\/N\] platform: nothing was deleted\n$/);
    const yes = await world.run('delete site gone', { answers: ['y'] });
    expect([yes.code, yes.out]).toEqual([
      0,
      expect.stringMatching(/^site\/gone is being deleted; .*platform blockers sites uid:/),
    ]);
  });

  it('deletes at once what nothing holds, and never without a word where nobody can be asked', async () => {
    await given(world, 'alone');
    const { code, err } = await world.run('delete site alone', { input: '' });
    expect([code, err]).toEqual([2, expect.stringContaining('--yes')]);
    expect(await world.ok('delete site alone --yes')).toBe('site/alone deleted\n');
    expect((await world.run('delete site alone --yes')).code).toBe(5);
  });

  it('waits until it is gone, telling what it waits for', async () => {
    const { metadata } = await given(world, 'held', { finalizers: ['ctrl.example/hold'] });
    let looks = 0;
    const timers = {
      ...systemTimers,
      after: (ms: number, task: () => void) => {
        if (ms !== 500) return systemTimers.after(ms, task);
        // In the place of the controller, then of the collector.
        const [change, done] =
          ++looks === 1
            ? [
                world.operator.resources(sites).changeFinalizers('held', { remove: ['ctrl.example/hold'] }),
                task,
              ]
            : [world.api.database.sql`delete from resources where uid = ${metadata.uid}`, task];
        void Promise.resolve(change).then(() => done());
        return () => {};
      },
    };
    const { code, out, err } = await world.run('delete site held --yes --wait', { timers });
    expect([code, out]).toEqual([0, 'site/held deleted\n']);
    expect(err).toBe(
      'waiting for site/held: held by ctrl.example/hold\nwaiting for site/held: to be collected\n',
    );
  });

  it('waits no longer than it was told to', async () => {
    await given(world, 'stuck', { finalizers: ['ctrl.example/hold'] });
    let now = Date.now();
    const timers = {
      ...systemTimers,
      now: () => now,
      after: (ms: number, task: () => void) => {
        if (ms !== 500) return systemTimers.after(ms, task);
        now += 400_000;
        queueMicrotask(task);
        return () => {};
      },
    };
    const { code, err } = await world.run('delete site stuck --yes --wait', { timers });
    expect([code, err]).toEqual([
      9,
      expect.stringMatching(/still being deleted after 300 s: held by ctrl.example\/hold; platform pending/),
    ]);
  });

  it('leaves a deletion alone at Ctrl-C, and says so', async () => {
    await given(world, 'awaited', { finalizers: ['ctrl.example/hold'] });
    const words = ['delete', 'site/awaited', '--yes', '--wait'];
    const timers = {
      ...systemTimers,
      after: (ms: number, task: () => void) => {
        if (ms === 500) terminal.interrupt();
        return systemTimers.after(ms, task);
      },
    };
    const terminal: FakeTerminal = world.terminal({ timers });
    expect(await run(words, terminal)).toBe(130);
    expect(terminal.stderr).toContain('platform: site/awaited is still being deleted; platform pending\n');
    expect((await site('awaited')).metadata.deletionTimestamp).toBeDefined();
  });
});

describe('platform status and finalizers', () => {
  beforeAll(async () => void (await given(world, 'subject')));

  it('writes the own slot or a named one, from a value, a file or standard input, and clears it', async () => {
    expect(
      await world.ok(['status', 'set', 'site/subject', '--value', '{ready: true, n: 12345678901234567890}']),
    ).toBe('site/subject: status written, revision 2\n');
    await world.ok([
      'status',
      'set',
      'site/subject',
      '--slot',
      'ctrl.example',
      '--file',
      file('status.json', '"fine"'),
    ]);
    await world.ok('status set site subject --slot nothing.example', { input: 'null' });
    const shown = await world.ok('get site subject -o yaml');
    expect(shown).toContain('\n    ctrl.example: fine\n');
    expect(shown).toContain(
      '\n    operator:operator@example.dev:\n      ready: true\n      n: 12345678901234567890\n',
    );
    await world.ok('status clear site subject --slot ctrl.example');
    expect(Object.keys((await site('subject')).status.controllers)).toEqual([
      'operator:operator@example.dev',
    ]);
    expect((await world.run('status set site/subject', { input: '' })).code).toBe(2);
    expect((await world.run('status set site/subject -v 1 -f x')).code).toBe(2);
  });

  it('adds and removes finalizers', async () => {
    expect(await world.ok('finalizers add site/subject a.example/x b.example/y')).toBe(
      'site/subject: finalizers a.example/x, b.example/y\n',
    );
    expect(await world.ok('finalizers remove site/subject a.example/x b.example/y')).toBe(
      'site/subject: finalizers none\n',
    );
    const { code, err } = await world.run('finalizers add site/subject system.platform.dev/x');
    expect([code, err]).toEqual([7, expect.stringContaining('(finalizer_reserved)')]);
  });
});
