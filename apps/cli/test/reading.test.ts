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
      apiVersion: 'sites.example/v1',
      kind: 'Site',
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
    expect(await failing('help gett')).toEqual(
      usage("unknown command 'gett' (did you mean get?); platform --help"),
    );
    expect(await failing('help sessions revok')).toEqual(
      usage("unknown command 'revok' (did you mean revoke?); platform sessions --help"),
    );
    expect(await failing('status set')).toEqual(
      usage("missing required argument 'target'; platform status set --help"),
    );
    expect(await failing('get site blog -o xml')).toEqual([2, expect.stringContaining('Allowed choices')]);
  });
});

describe('platform kinds', () => {
  it('lists registered and built-in kinds', async () => {
    const out = await cli.ok('kinds');
    expect(out).toMatch(/^organizations +Organization +platform\.dev +v1alpha1\* +- +org, orgs$/m);
    expect(out).toMatch(/^pages +Page +sites\.example +v1\* +Section +-$/m);
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
