import { fromYaml } from '../src/output/yaml.ts';
import { given, registerSites } from './sites.ts';
import { CliWorld } from './world.ts';

const world = new CliWorld();

beforeAll(async () => {
  await registerSites(world);
  for (const path of [
    'blog',
    'blog/news',
    'blog/news/hello',
    'blog/about',
    'shop',
    'shop/news',
    'shop/news/sale',
  ])
    await given(world, path);
});

describe('platform get', () => {
  it('lists what is below the names that are given, or everywhere', async () => {
    const names = async (words: string) => (await world.ok(`${words} -o name`)).trim().split('\n');
    expect(await names('get pages')).toEqual(['page/blog/news/hello', 'page/shop/news/sale']);
    expect(await names('get pages shop')).toEqual(['page/shop/news/sale']);
    expect(await names('get section/blog')).toEqual(['section/blog/about', 'section/blog/news']);
    expect(await names('get pages --in blog/news')).toEqual(['page/blog/news/hello']);
  });

  it.each([
    'get page/blog/news/hello',
    'get page blog/news/hello',
    'get pages blog news hello',
    'get PAGE hello --in blog/news',
    'get pag blog/news/hello',
    'get pages.sites.example blog/news/hello',
    'get page.v1.sites.example/blog/news/hello',
  ])('takes it as people type it: %s', async (words) => {
    expect(await world.ok(`${words} -o name`)).toBe('page/blog/news/hello\n');
  });

  it('finds a resource by UID', async () => {
    const { metadata } = await world.operator
      .resources({ group: 'sites.example', version: 'v1', plural: 'sites' })
      .get('shop');
    expect(await world.ok(`get site uid:${metadata.uid} -o json`)).toContain('"name": "shop"');
  });

  it('shows a table, without colour or trailing blanks where nobody looks', async () => {
    const out = await world.ok('get pages');
    expect(out).toMatch(/^SITE {3}SECTION {3}NAME {4}STATE {3}STATUS FROM {3}REVISION {3}AGE\n/);
    expect(out).toMatch(/\nblog {3}news {6}hello {3}live {4}- {13}1 {10}\d+s\n/);
    expect(out).not.toContain(' \n');
    expect(out).not.toContain('\u001b');
    expect(await world.ok('get pages -o wide')).toMatch(/GENERATION {3}FINALIZERS {3}UID\n/);
    expect(await world.ok('get pages blog about')).toBe('No pages here.\n');
  });

  it('shows YAML that can be applied again, with the names above', async () => {
    const out = await world.ok('get pages -o yaml');
    expect(fromYaml(out, 'it')).toMatchObject([
      { in: 'blog/news', kind: 'Page', metadata: { name: 'hello' }, spec: { title: 'hello' } },
      { in: 'shop/news', kind: 'Page', metadata: { name: 'sale' } },
    ]);
    expect(await world.ok('apply -f -', { input: out })).toBe(
      'page/blog/news/hello unchanged\npage/shop/news/sale unchanged\n',
    );
  });

  it('shows JSON as the API has it, a list for a collection', async () => {
    expect(JSON.parse(await world.ok('get site blog -o json'))).toMatchObject({
      kind: 'Site',
      metadata: { name: 'blog' },
    });
    expect(JSON.parse(await world.ok('get sites -o json'))).toMatchObject({
      apiVersion: 'sites.example/v1',
      kind: 'SiteList',
      items: [{ metadata: { name: 'blog' } }, { metadata: { name: 'shop' } }],
    });
  });

  it('shows every number to the digit', async () => {
    const text =
      '{"apiVersion":"sites.example/v1","kind":"Site","metadata":{"name":"exact"},"spec":{"title":"t","big":12345678901234567890,"huge":1e400}}';
    await world.operator.send({
      method: 'POST',
      path: '/api/v1/resources/sites.example/v1/sites',
      body: text,
    });
    for (const format of ['json', 'yaml']) {
      const out = await world.ok(`get site exact -o ${format}`);
      expect(out).toContain('12345678901234567890');
      expect(out).toContain('1e400');
    }
    await world.ok('delete site exact --yes');
  });

  it('says in one line what is wrong, and the way out', async () => {
    const told = async (words: string, options = {}) => {
      const { code, err } = await world.run(words, options);
      return [code, err];
    };
    expect(await told('get nothing')).toEqual([5, 'platform: there is no kind nothing; platform kinds\n']);
    expect(await told('get s')).toEqual([
      2,
      expect.stringMatching(/s may be sections.*sites.sites.example.*; write it out/),
    ]);
    expect(await told('get site blog/news')).toEqual([
      2,
      'platform: blog/news has too many names; such as site/<name>\n',
    ]);
    expect(await told('get site none')).toEqual([
      5,
      'platform: There is no such resource: sites/none (not_found); platform get sites lists what there is\n',
    ]);
    expect(await told('get pages hello')).toEqual([
      5,
      expect.stringMatching(/^platform: An ancestor .* does not exist: sections\/hello \(not_found\); /),
    ]);
    expect(await told('get site blog', { as: 'member' })).toEqual([
      4,
      expect.stringContaining('platform whoami'),
    ]);
    expect(await told('get site blog', { as: null })).toEqual([
      3,
      expect.stringMatching(/^platform: not logged in at http.*; platform login\n$/),
    ]);
    expect(await told('get site blog', { env: { PLATFORM_TOKEN: 'x' } })).toEqual([
      3,
      expect.stringContaining('platform login'),
    ]);
    expect(await told('get site blog --url http://127.0.0.1:3')).toEqual([
      8,
      expect.stringMatching(
        /^platform: http:\/\/127.0.0.1:3 cannot be reached: .*ECONNREFUSED.*\(unreachable\); is it running\?/,
      ),
    ]);
    const usage = (message: string) => [2, `platform: ${message}\n`];
    expect(await told('gett')).toEqual(usage("unknown command 'gett' (did you mean get?); platform --help"));
    expect(await told('status set')).toEqual(
      usage("missing required argument 'target'; platform status set --help"),
    );
    expect(await told('get site blog -o xml')).toEqual([2, expect.stringContaining('Allowed choices')]);
  });
});

describe('platform kinds', () => {
  it('lists what is registered and what is built in', async () => {
    const out = await world.ok('kinds');
    expect(out).toMatch(/^organizations +Organization +platform\.dev +v1alpha1\* +- +org, orgs$/m);
    expect(out).toMatch(/^pages +Page +sites\.example +v1\* +Section +-$/m);
  });
});

describe('platform describe and tree', () => {
  beforeAll(async () => {
    const { metadata, apiVersion, kind } = await given(world, 'owner');
    const reference = { apiVersion, kind, name: metadata.name, uid: metadata.uid };
    await given(world, 'loose', { ownerReferences: [reference] });
    await given(world, 'tight', { ownerReferences: [{ ...reference, blockOwnerDeletion: true }] });
    await given(world, 'owner/part');
    await given(world, 'owner/part/leaf', {
      finalizers: ['someone/else'],
      annotations: { note: 'a\u001b[31mb' },
    });
  });

  it('draws children and dependents, and says who blocks', async () => {
    expect(await world.ok('tree site/owner')).toBe(
      [
        'site/owner',
        '├─ section/owner/part  [child, blocks]',
        '│  └─ page/owner/part/leaf  [child, blocks]',
        '├─ site/loose  [owned, does not block]',
        '└─ site/tight  [owned, blocks]',
        '',
      ].join('\n'),
    );
  });

  it('describes a resource with owners, dependents, ages and what would hold it', async () => {
    const owner = await world.ok('describe site owner');
    expect(owner).toMatch(/^Name: +site\/owner$/m);
    expect(owner).toMatch(/^Created: +\S+ \(\d+s ago\)$/m);
    expect(owner).toMatch(/^ {2}section\/owner\/part +\[child, blocks\] +\d+s$/m);
    expect(owner).toMatch(/^ {2}site\/loose +\[owned, does not block\]/m);
    expect(owner).toMatch(
      /Would hold its deletion:\n {2}BLOCKER.*\n {2}section\/part +child +live +- .*\n {2}site\/tight +owned +live/,
    );
    const tight = await world.ok('describe site tight');
    expect(tight).toMatch(/Owners:\n {2}OWNER.*\n {2}site\/owner +blocks it +live\n/);
  });

  it('never lets what others wrote command the terminal', async () => {
    const out = await world.ok('describe page owner/part/leaf');
    expect(out).toContain('note=a\ufffd[31mb');
    expect(out).not.toContain('\u001b');
  });

  it('says when there is more than it looked at', async () => {
    const { err } = await world.run('tree site/owner --scan-limit 3');
    expect(err).toContain('--scan-limit');
  });

  it('shows how it is being deleted, and what holds what', async () => {
    await world.ok('delete site owner --yes');
    expect(await world.ok('tree site/owner')).toMatch(
      /^site\/owner {2}deleting for \d+s, held by system\.platform\.dev\/cascade-deletion\n/,
    );
    expect(await world.ok('pending')).toMatch(
      /^site\/owner +sites\.example\/v1 +\d+s +system.platform.dev\/cascade-deletion +[0-9a-f-]{36}$/m,
    );
    expect(await world.ok('blockers site owner')).toMatch(/^section\/part +child +deleting \d+s/m);
    await world.ok('delete page owner/part/leaf --yes');
    expect(await world.ok('blockers page owner/part/leaf')).toBe(
      'Held by its own finalizers: someone/else\n',
    );
    expect(await world.ok('blockers site blog')).toMatch(/section\/news/);
    expect(await world.ok('describe site owner')).toContain('Holds its deletion:');
    expect(await world.ok('get site owner')).toMatch(/owner +deleting \d+s/);
  });
});
