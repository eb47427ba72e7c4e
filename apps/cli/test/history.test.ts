import { CliFixture } from './cli-fixture.ts';
import { given, registerSites } from './sites.ts';

const cli = new CliFixture();
const kind = (plural: string) => ({ group: 'sites.example', version: 'v1', plural });

beforeAll(() => registerSites(cli));

/** Two revisions of a site: the title of the second one is `Second`. */
async function twice(name: string): Promise<string> {
  const site = await given(cli, name);
  await cli.operator.resources(kind('sites')).patch(name, { spec: { title: 'Second' } });
  return site.metadata.uid;
}

describe('platform history', () => {
  it('lists the revisions, newest first, with what has changed', async () => {
    const uid = await twice('told');
    const out = await cli.ok('history site/told');
    expect(out.split('\n')[0]).toMatch(/^REVISION\s+AGE\s+OPERATION\s+BY\s+CHANGED\s+REASON$/);
    expect(out.split('\n')[1]).toMatch(/^2\s+\ds\s+patch\s+operator \S+\s+spec\/title/);
    expect(out.split('\n')[2]).toMatch(/^1\s+\ds\s+create/);
    expect(JSON.parse(await cli.ok('history site told --limit 1 -o json'))).toMatchObject([{ revision: 2 }]);
    await cli.ok('delete site/told --yes');
    expect((await cli.run('history site/told')).code).toBe(5);
    expect(await cli.ok(`history site uid:${uid}`)).toContain('delete (removed)');
  });
});

describe('platform diff', () => {
  it('compares a revision with the resource as it is, or with another one', async () => {
    await twice('compared');
    const since = await cli.run('diff site/compared 1');
    expect(since.code).toBe(1);
    expect(since.out).toContain('site/compared from revision 1 to 2\n');
    expect(since.out).toContain('  -  title: compared\n');
    expect(since.out).toContain('  +  title: Second\n');
    expect((await cli.run('diff site compared 2 1')).out).toContain('  +  title: compared\n');
    expect(await cli.run('diff site/compared 2')).toMatchObject({ code: 0, out: '' });
  });

  it('says what is missing', async () => {
    await twice('7');
    expect((await cli.run('diff site 7 1')).out).toContain('site/7 from revision 1 to 2');
    const { code, err } = await cli.run('diff site/7 99');
    expect([code, err]).toEqual([5, expect.stringContaining('revision 99 does not exist')]);
    expect((await cli.run('diff site/7')).err).toContain('missing argument: a revision');
    expect((await cli.run('diff')).code).toBe(2);
    expect((await cli.run('diff site/7 1 -f x.yaml')).code).toBe(2);
  });
});

describe('platform restore', () => {
  it('restores by name what was removed last, as the list of removed resources has it', async () => {
    await given(cli, 'back');
    await cli.ok('delete site/back --yes');
    const uid = await twice('back');
    await cli.ok('delete site/back --yes');
    expect(await cli.ok('removed sites')).toMatch(new RegExp(`site/back\\s+\\ds\\s+operator \\S+\\s+${uid}`));
    expect(await cli.ok('restore site/back --dry-run')).toMatch(
      /^site\/back restored, uid:\S+ \(dry run\)\n$/,
    );
    expect(await cli.ok('restore site/back')).toMatch(/^site\/back restored, uid:\S+\n$/);
    expect(await cli.ok('get site/back -o yaml')).toContain(`platform.dev/restored-from: ${uid}`);
    expect(await cli.ok('get site/back -o yaml')).toContain('title: Second');
  });

  it('names what is in the way, and what to do', async () => {
    const uid = await twice('taken');
    await cli.ok('delete site/taken --yes');
    await given(cli, 'taken');
    const { code, err } = await cli.run(`restore site uid:${uid}`);
    expect([code, err]).toEqual([6, expect.stringContaining('Site taken exists already')]);
    expect(err).toContain('--name');
    expect(await cli.ok(`restore site uid:${uid} --name free --no-dependents`)).toContain(
      'site/free restored',
    );
  });

  it('says which names of ancestors the list of removed resources needs', async () => {
    expect(await cli.run('removed sections')).toMatchObject({
      code: 2,
      err: 'platform: the ancestors of the sections are missing; expected sections/<site>\n',
    });
    expect(await cli.run('removed sites back')).toMatchObject({
      code: 2,
      err: 'platform: this command lists a collection; expected sites\n',
    });
  });

  it('says so when nothing of the name was removed', async () => {
    const none = await cli.run('restore site/none');
    expect([none.code, none.err]).toEqual([5, expect.stringContaining('platform removed sites')]);
    const below = await cli.run('restore section/none/news');
    expect([below.code, below.err]).toEqual([5, expect.stringContaining('do not exist')]);
  });
});
