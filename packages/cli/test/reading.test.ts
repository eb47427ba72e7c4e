import { fromYaml } from '../src/output/yaml.ts';
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

describe('platform get', () => {
  it('lists below the given names, or everywhere', async () => {
    const names = async (words: string) => (await cli.ok(`${words} -o name`)).trim().split('\n');
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
  ])('accepts the notation %s', async (words) => {
    expect(await cli.ok(`${words} -o name`)).toBe('page/blog/news/hello\n');
  });

  it('selects by labels and fields', async () => {
    const sites = cli.operator.resources({ group: 'sites.example', version: 'v1', plural: 'sites' });
    await sites.create({
      ...{ apiVersion: 'sites.example/v1', kind: 'Site' },
      metadata: { name: 'wiki', labels: { tier: 'web' } },
      spec: { title: 'Wiki' },
    });
    expect(await cli.ok('get sites -l tier=web -o name')).toBe('site/wiki\n');
    expect(await cli.ok('get sites -l tier!=web -o name')).toBe('site/blog\nsite/shop\n');
    expect(await cli.ok('get pages --field-selector metadata.name=sale -o name')).toBe(
      'page/shop/news/sale\n',
    );
    await sites.delete('wiki');
  });

  it('finds a resource by UID', async () => {
    const { metadata } = await cli.operator
      .resources({ group: 'sites.example', version: 'v1', plural: 'sites' })
      .get('shop');
    expect(await cli.ok(`get site uid:${metadata.uid} -o json`)).toContain('"name": "shop"');
  });

  it('shows a table without colors and trailing spaces when it is not on a terminal', async () => {
    const out = await cli.ok('get pages');
    expect(out).toMatch(/^SITE {3}SECTION {3}NAME {4}STATE {3}STATUS FROM {3}REVISION {3}AGE\n/);
    expect(out).toMatch(/\nblog {3}news {6}hello {3}live {4}- {13}1 {10}\d+s\n/);
    expect(out).not.toContain(' \n');
    expect(out).not.toContain('\u001b');
    expect(await cli.ok('get pages -o wide')).toMatch(/GENERATION {3}FINALIZERS {3}UID\n/);
    expect(await cli.ok('get pages blog about')).toBe('No pages found.\n');
  });

  it('shows YAML with the ancestors, which can be applied again', async () => {
    const out = await cli.ok('get pages -o yaml');
    expect(fromYaml(out, 'it')).toMatchObject([
      { in: 'blog/news', kind: 'Page', metadata: { name: 'hello' }, spec: { title: 'hello' } },
      { in: 'shop/news', kind: 'Page', metadata: { name: 'sale' } },
    ]);
    expect(await cli.ok('apply -f -', { input: out })).toBe(
      'page/blog/news/hello unchanged\npage/shop/news/sale unchanged\n',
    );
  });

  it('shows JSON as in the API, a list for a collection', async () => {
    expect(JSON.parse(await cli.ok('get site blog -o json'))).toMatchObject({
      kind: 'Site',
      metadata: { name: 'blog' },
    });
    expect(JSON.parse(await cli.ok('get sites -o json'))).toMatchObject({
      apiVersion: 'sites.example/v1',
      kind: 'SiteList',
      items: [{ metadata: { name: 'blog' } }, { metadata: { name: 'shop' } }],
    });
  });

  it('shows the exact digits of every number', async () => {
    const text =
      '{"apiVersion":"sites.example/v1","kind":"Site","metadata":{"name":"exact"},"spec":{"title":"t","big":12345678901234567890,"huge":1e400}}';
    await cli.operator.send({
      method: 'POST',
      path: '/api/v1/resources/sites.example/v1/sites',
      body: text,
    });
    for (const format of ['json', 'yaml']) {
      const out = await cli.ok(`get site exact -o ${format}`);
      expect(out).toContain('12345678901234567890');
      expect(out).toContain('1e400');
    }
    await cli.ok('delete site exact --yes');
  });

  it('prints one line with the problem and a hint', async () => {
    const failing = async (words: string, options = {}) => {
      const { code, err } = await cli.run(words, options);
      return [code, err];
    };
    expect(await failing('get nothing')).toEqual([
      5,
      'platform: kind nothing does not exist; platform kinds lists the kinds\n',
    ]);
    expect(await failing('get s')).toEqual([
      2,
      expect.stringMatching(
        /kind s is ambiguous: secrets.*sections.*sites.sites.example.*; use the full name/,
      ),
    ]);
    expect(await failing('get site blog/news')).toEqual([
      2,
      'platform: too many names: blog/news; expected site/<name>\n',
    ]);
    expect(await failing('get site none')).toEqual([
      5,
      'platform: There is no such resource: sites/none (not_found); platform get sites lists the existing ones\n',
    ]);
    expect(await failing('get pages hello')).toEqual([
      5,
      'platform: cannot list pages: site/hello does not exist; to show one resource: platform get page/<site>/<section>/<name>\n',
    ]);
    expect(await failing('get site blog', { as: 'member' })).toEqual([
      4,
      expect.stringContaining('platform whoami'),
    ]);
    expect(await failing('get site blog', { as: null })).toEqual([
      3,
      expect.stringMatching(/^platform: not logged in at http.*; log in with: platform login\n$/),
    ]);
    expect(await failing('get site blog', { env: { PLATFORM_TOKEN: 'x' } })).toEqual([
      3,
      expect.stringContaining('PLATFORM_TOKEN was used; replace that token, or remove it to use your login'),
    ]);
    expect(await failing('get site blog --url http://127.0.0.1:3')).toEqual([
      8,
      expect.stringMatching(
        /^platform: cannot reach http:\/\/127.0.0.1:3: .*ECONNREFUSED.*\(unreachable\); check that it is running/,
      ),
    ]);
    const usage = (message: string) => [2, `platform: ${message}\n`];
    expect(await failing('gett')).toEqual(
      usage("unknown command 'gett' (did you mean get?); platform --help"),
    );
    expect(await failing('status set')).toEqual(
      usage("missing required argument 'target'; platform status set --help"),
    );
    expect(await failing('get site blog -o xml')).toEqual([2, expect.stringContaining('Allowed choices')]);
  });
});

describe('platform get of a kind that says how it is shown', () => {
  beforeAll(async () => {
    const kind = (name: string, more: object) =>
      cli.operator
        .resources({ group: 'platform.dev', version: 'v1alpha1', plural: 'resourcedefinitions' })
        .create({
          apiVersion: 'platform.dev/v1alpha1',
          kind: 'ResourceDefinition',
          metadata: { name: `${name.toLowerCase()}s.shown.example` },
          spec: {
            ...{ group: 'shown.example', kind: name, plural: `${name.toLowerCase()}s`, parent: null },
            ...more,
          },
        });
    const additionalPrinterColumns = [
      { name: 'Size', type: 'integer', jsonPath: '.spec.size' },
      { name: 'Since', type: 'date', jsonPath: '.metadata.creationTimestamp' },
      { name: 'Note', type: 'string', jsonPath: '.spec.note', priority: 1 },
    ];
    const version = { name: 'v1', served: true, storage: true, schema: { type: 'object' } };
    await kind('Lamp', {
      ...{ shortNames: ['lm'], singular: 'lantern', categories: ['light'] },
      versions: [{ ...version, additionalPrinterColumns }],
    });
    await kind('Torch', { categories: ['light'], versions: [version] });
    for (const [name, size] of [
      ['a', 10],
      ['b', 9],
    ] as const) {
      await cli.operator.resources({ group: 'shown.example', version: 'v1', plural: 'lamps' }).create({
        apiVersion: 'shown.example/v1',
        kind: 'Lamp',
        metadata: { name },
        spec: { size, note: 'n' },
      });
    }
  });

  it('shows the columns of its definition', async () => {
    expect(await cli.ok('get lamps')).toMatch(
      /^NAME +SIZE +SINCE +STATE +AGE\na +10 +\d+s +live +\d+s\nb +9 +\d+s +live +\d+s\n$/,
    );
    expect(await cli.ok('get lamps -o wide')).toMatch(/^NAME +SIZE +SINCE +NOTE .* UID\n/);
    expect(await cli.ok('get lamps --no-headers')).toMatch(/^a +10 /);
  });

  it('is found by its short name, its singular and its category', async () => {
    expect(await cli.ok('get lm/a -o name')).toBe('lamp/a\n');
    expect(await cli.ok('describe lantern a')).toMatch(/^Name: +lamp\/a$/m);
    expect(await cli.ok('get light -o name')).toBe('lamp/a\nlamp/b\n');
    expect(await cli.ok('get light')).toMatch(/^lamps:\nNAME/);
    expect(await cli.ok('kinds')).toMatch(/^lamps +Lamp .* lm$/m);
  });

  it('sorts by the value at a path, and prints what a template asks for', async () => {
    expect(await cli.ok('get lamps --sort-by .spec.size -o name')).toBe('lamp/b\nlamp/a\n');
    expect(await cli.ok(['get', 'lamp', 'a', '-o', 'jsonpath={.spec.size}'])).toBe('10');
    const template = 'jsonpath={range .items[*]}{.metadata.name}={.spec.size}{"\\n"}{end}';
    expect(await cli.ok(['get', 'lamps', '-o', template])).toBe('a=10\nb=9\n');
    expect(await cli.run(['get', 'lamps', '-o', 'jsonpath={.items['])).toMatchObject({ code: 2 });
  });

  it('lists across parents, and refuses options that would do nothing', async () => {
    expect(await cli.ok('get pages -A -o name')).toContain('page/shop/news/sale\n');
    for (const words of ['get pages shop -A', 'get lamp a --sort-by .spec.size', 'get lamps -w --sort-by .a'])
      expect(await cli.run(words)).toMatchObject({ code: 2 });
  });
});

describe('platform kinds', () => {
  it('lists registered and built-in kinds', async () => {
    const out = await cli.ok('kinds');
    expect(out).toMatch(/^organizations +Organization +platform\.dev +v1alpha1\* +- +org, orgs$/m);
    expect(out).toMatch(/^pages +Page +sites\.example +v1\* +Section +-$/m);
  });
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
    expect(await cli.ok('blockers site owner')).toMatch(/^section\/part +child +deleting \d+s/m);
    await cli.ok('delete page owner/part/leaf --yes');
    expect(await cli.ok('blockers page owner/part/leaf')).toBe('Its own finalizers: someone/else\n');
    expect(await cli.ok('blockers site blog')).toMatch(/section\/news/);
    expect(await cli.ok('describe site owner')).toContain('Blocking deletion:');
    expect(await cli.ok('get site owner')).toMatch(/owner +deleting \d+s/);
  });
});

describe('platform search', () => {
  it('finds resources of every kind, whole names first', async () => {
    expect(await cli.ok('search news -o name')).toMatch(/^(section\/(blog|shop)\/news\n){2}$/);
    expect(await cli.ok('search al -o name -k Page')).toBe('page/shop/news/sale\n');
    expect(await cli.ok('search nothing')).toBe('Nothing found.\n');
    const { out, err } = await cli.run('search news --limit 1');
    expect(out).toMatch(
      /^RESOURCE +API VERSION +AGE\nsection\/(blog|shop)\/news +sites.example\/v1 +\d+\w\n$/,
    );
    expect(err).toBe('Only the first 1 are shown; raise --limit.\n');
  });
});
