import { type Kind, KindRegistry } from './kinds.ts';

const kind = (name: string, parent: string | null): Kind => ({
  group: 'example.dev',
  kind: name,
  plural: `${name.toLowerCase()}s`,
  parent: parent === null ? null : { apiVersion: 'example.dev/v1', kind: parent },
  versions: [],
});

describe('KindRegistry', () => {
  const [site, page, word] = [kind('Site', null), kind('Page', 'Site'), kind('Word', 'Page')];
  const registry = new KindRegistry([site, page, word, kind('Lost', 'Unknown'), kind('Round', 'Round')]);

  it('finds a kind by its plural, and by its name at any version', () => {
    expect(registry.byPlural('example.dev', 'pages')).toBe(page);
    expect(registry.byKind('example.dev/v9', 'Page')).toBe(page);
    expect(registry.byPlural('other.dev', 'pages')).toBeUndefined();
  });

  it('knows what is above and below a kind', () => {
    expect(registry.ancestorsOf(word)).toEqual([site, page]);
    expect(registry.childrenOf(site)).toEqual([page]);
    expect(registry.childrenOf(word)).toEqual([]);
  });

  it('says that ancestors are unknown where one is not listed, or they form a circle', () => {
    expect(
      ['losts', 'rounds']
        .map((plural) => registry.byPlural('example.dev', plural))
        .map((one) => (one === undefined ? undefined : registry.ancestorsOf(one))),
    ).toEqual([null, null]);
  });
});
