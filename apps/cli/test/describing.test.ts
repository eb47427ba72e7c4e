import { CliFixture } from './cli-fixture.ts';
import { given, registerSites } from './sites.ts';

const cli = new CliFixture();

beforeAll(async () => {
  await registerSites(cli);
  for (const path of [
    'blog',
    'blog/news',
    'blog/news/hello',
    'blog/about',
    'shop',
    'shop/news',
    'shop/news/sale',
  ])
    await given(cli, path);
});

describe('platform describe and tree', () => {
  beforeAll(async () => {
    const { metadata, apiVersion, kind } = await given(cli, 'owner');
    const reference = { apiVersion, kind, name: metadata.name, uid: metadata.uid };
    await given(cli, 'loose', { ownerReferences: [reference] });
    await given(cli, 'tight', { ownerReferences: [{ ...reference, blockOwnerDeletion: true }] });
    await given(cli, 'owner/part');
    await given(cli, 'owner/part/leaf', {
      finalizers: ['someone/else'],
      annotations: { note: 'a\u001b[31mb' },
    });
  });

  it('draws children and dependents, and marks those that block', async () => {
    expect(await cli.ok('tree site/owner')).toBe(
      [
        'site/owner',
        '├─ section/owner/part  [child, blocks]',
        '│  └─ page/owner/part/leaf  [child, blocks]  finalizers: someone/else',
        '├─ site/loose  [owned, does not block]',
        '└─ site/tight  [owned, blocks]',
        '',
      ].join('\n'),
    );
  });

  it('describes a resource with owners, dependents, ages and blockers', async () => {
    const owner = await cli.ok('describe site owner');
    expect(owner).toMatch(/^Name: +site\/owner$/m);
    expect(owner).toMatch(/^Created: +\S+ \(\d+s ago\)$/m);
    expect(owner).toMatch(/^ {2}section\/owner\/part +\[child, blocks\] +live$/m);
    expect(owner).toMatch(/^ {2}site\/loose +\[owned, does not block\]/m);
    expect(owner).toMatch(
      /Blocks deletion of this resource:\n {2}BLOCKER.*\n {2}section\/part +child +live +- .*\n {2}site\/tight +owned +live/,
    );
    const tight = await cli.ok('describe site tight');
    expect(tight).toMatch(/Owners:\n {2}OWNER.*\n {2}site\/owner +blocks +live\n/);
  });

  it('replaces escape sequences in the texts of other users', async () => {
    const out = await cli.ok('describe page owner/part/leaf');
    expect(out).toContain('note=a\ufffd[31mb');
    expect(out).not.toContain('\u001b');
  });

  it('asks a constant number of questions, however many resources there are', async () => {
    const asked = async (words: string): Promise<number> => {
      const before = requests;
      await cli.ok(words);
      return requests - before;
    };
    let requests = 0;
    const send = globalThis.fetch;
    globalThis.fetch = (...call: Parameters<typeof fetch>) => {
      requests += 1;
      return send(...call);
    };
    const commands = ['describe site many', 'tree site/many', 'get pages', 'delete site/many --plan'];
    await given(cli, 'many');
    const few = [];
    for (const words of commands) few.push(await asked(words));
    for (let at = 0; at < 12; at += 1) {
      await given(cli, `many/s${at}`);
      await given(cli, `many/s${at}/p`);
      await given(cli, `many-${at}`);
    }
    const many = [];
    for (const words of commands) many.push(await asked(words));
    globalThis.fetch = send;
    expect(many).toEqual(few);
    expect(Math.max(...few)).toBeLessThanOrEqual(5);
  });

  it('shows the progress of a deletion, and the blockers', async () => {
    await cli.ok('delete site owner --yes');
    expect(await cli.ok('tree site/owner')).toMatch(
      /^site\/owner {2}deleting for \d+s, finalizers: system\.platform\.dev\/cascade-deletion\n/,
    );
    expect(await cli.ok('pending')).toMatch(
      /^site\/owner +sites\.example\/v1 +\d+s +system.platform.dev\/cascade-deletion +[0-9a-f-]{36}$/m,
    );
    expect((await cli.run('pending --limit 1')).err).toBe('More are being deleted; the oldest are shown.\n');
    expect(await cli.ok('blockers site owner')).toMatch(/^section\/part +child +deleting \d+s/m);
    await cli.ok('delete page owner/part/leaf --yes');
    expect(await cli.ok('blockers page owner/part/leaf')).toBe('Its own finalizers: someone/else\n');
    expect(await cli.ok('blockers site blog')).toMatch(/section\/news/);
    expect(await cli.ok('describe site owner')).toContain('Blocking deletion:');
    expect(await cli.ok('get site owner')).toMatch(/owner +deleting \d+s/);
  });
});
