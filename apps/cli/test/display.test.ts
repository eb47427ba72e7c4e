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
            group: 'shown.example',
            kind: name,
            plural: `${name.toLowerCase()}s`,
            parent: null,
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
      shortNames: ['lm'],
      singular: 'lantern',
      categories: ['light'],
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

  it('is itself shown with its kind, group and versions', async () => {
    const out = await cli.ok('get rd');
    expect(out).toMatch(/^NAME +KIND +GROUP +VERSIONS +STATE +AGE\n/);
    expect(out).toMatch(/^lamps\.shown\.example +Lamp +shown\.example +v1 +live /m);
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
