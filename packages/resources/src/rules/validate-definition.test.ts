import { refusalOf } from '../../test/fixtures.ts';
import { maxParentChain } from '../model/definition.ts';
import {
  dependsOnInstances,
  maxCountedInstances,
  validateDefinitionDeletion,
  validateDefinitionEdit,
  validateDefinitionIdentity,
  validateDefinitionPlace,
  validateDefinitionSpec,
} from './validate-definition.ts';

const version = { name: 'v1', served: true, storage: true };
const spec = (overrides: object = {}) =>
  validateDefinitionSpec({
    group: 'example.dev',
    kind: 'Widget',
    plural: 'widgets',
    versions: [version],
    ...overrides,
  });
const related = {
  claimants: [],
  parentChain: [],
  parentVersions: null,
  parentTerminating: false,
  heightBelow: 0,
  parentOfInstances: undefined,
};
const room = { apiVersion: 'example.dev/v1', kind: 'Room' };

describe('the spec of a definition', () => {
  it.each([
    ['no versions', { versions: [] }, '/spec/versions'],
    ['no storage version', { versions: [{ ...version, storage: false }] }, '/spec/versions'],
    ['two storage versions', { versions: [version, { ...version, name: 'v2' }] }, '/spec/versions'],
    ['no served version', { versions: [{ ...version, served: false }] }, '/spec/versions'],
    ['a version twice', { versions: [version, { ...version, storage: false }] }, '/spec/versions'],
    ['a version name with a dash', { versions: [{ ...version, name: 'v-1' }] }, '/spec/versions/0/name'],
    ['an unknown field', { scope: 'Cluster' }, '/spec/scope'],
    ['a lower-case kind', { kind: 'widget' }, '/spec/kind'],
    ['a schema that is a string', { versions: [{ ...version, schema: 'x' }] }, '/spec/versions/0/schema'],
  ])('is refused with %s', (_, overrides, path) => {
    expect(refusalOf(() => spec(overrides)).paths).toContain(path);
  });

  it('is refused with every fault, those between versions too', () => {
    const versions = [version, { ...version, served: false, x: 1 }];
    expect(refusalOf(() => spec({ kind: 7, scope: 'Cluster', versions })).errors).toMatchObject([
      { path: '/spec/kind' },
      { path: '/spec/versions/1/x' },
      { path: '/spec/scope' },
      { path: '/spec/versions', message: 'must name each version once' },
      { path: '/spec/versions', message: 'must have exactly one version with storage: true' },
    ]);
    expect(refusalOf(() => spec({ versions: [{ ...version, storage: 1 }] })).paths).toEqual([
      '/spec/versions/0/storage',
    ]);
  });

  it('accepts boolean schemas and an explicit null parent', () => {
    expect(spec({ parent: null, versions: [{ ...version, schema: false }] }).parent).toBeNull();
  });
});

describe('validateDefinitionIdentity', () => {
  it('looks at what a spec with faults claims', () => {
    expect(refusalOf(() => validateDefinitionIdentity('x', { group: 7, plural: 'teams' })).paths).toEqual([
      '/spec/plural',
    ]);
    for (const value of [null, [], 'text', {}])
      expect(() => validateDefinitionIdentity('x', value)).not.toThrow();
  });

  it('reserves the group without its subdomains, and the plurals, and checks the form of the name', () => {
    expect(
      refusalOf(() => validateDefinitionIdentity('widgets.platform.dev', spec({ group: 'platform.dev' })))
        .paths,
    ).toEqual(['/spec/group']);
    expect(() =>
      validateDefinitionIdentity('widgets.x.platform.dev', spec({ group: 'x.platform.dev' })),
    ).not.toThrow();
    expect(
      refusalOf(() => validateDefinitionIdentity('teams.example.dev', spec({ plural: 'teams' }))).paths,
    ).toEqual(['/spec/plural']);
    expect(refusalOf(() => validateDefinitionIdentity('widget.example.dev', spec())).paths).toEqual([
      '/metadata/name',
    ]);
  });
});

it.each([
  ...[
    'organizations',
    'projects',
    'users',
    'useridentities',
    'controllers',
    'controllertrustpolicies',
    'groups',
  ],
  ...['groupmemberships', 'serviceaccounts', 'serviceaccounttrustpolicies', 'teams', 'environments'],
  ...[
    'deployments',
    'resourcedefinitions',
    'roles',
    'rolebindings',
    'subscriptions',
    'namespaces',
    'secrets',
  ],
  ...['configmaps', 'leases', 'events', 'customresourcedefinitions'],
])('the plural %s is reserved in every group', (plural) => {
  expect(
    refusalOf(() => validateDefinitionIdentity(`${plural}.example.dev`, spec({ plural }))).paths,
  ).toEqual(['/spec/plural']);
});

it('a definition keeps a plural that was reserved after it was stored', () => {
  const events = spec({ plural: 'events' });
  expect(refusalOf(() => validateDefinitionIdentity('events.example.dev', events)).paths).toEqual([
    '/spec/plural',
  ]);
  expect(() => validateDefinitionIdentity('events.example.dev', events, 'events')).not.toThrow();
});

describe('validateDefinitionPlace', () => {
  it('refuses a taken plural and a taken group and kind with 409', () => {
    const claimants = [
      { group: 'other.dev', kind: 'Other', plural: 'widgets' },
      { group: 'example.dev', kind: 'Widget', plural: 'gadgets' },
    ];
    expect(() => validateDefinitionPlace(spec(), { ...related, claimants })).toThrow(
      expect.objectContaining({
        code: 'definition_conflict',
        message:
          'The plural widgets belongs to the definition widgets.other.dev. The kind Widget of example.dev belongs to the definition gadgets.example.dev.',
      }),
    );
    const sameName = [{ group: 'example.dev', kind: 'Widget', plural: 'widgets' }];
    expect(refusalOf(() => validateDefinitionPlace(spec(), { ...related, claimants: sameName })).code).toBe(
      'already_exists',
    );
  });

  it('refuses a missing parent, a parent that is being deleted and a cycle', () => {
    const child = spec({ parent: room });
    expect(refusalOf(() => validateDefinitionPlace(child, { ...related, parentChain: null })).paths).toEqual([
      '/spec/parent',
    ]);
    const parentChain = [{ group: 'example.dev', kind: 'Room' }];
    expect(
      refusalOf(() => validateDefinitionPlace(child, { ...related, parentChain, parentTerminating: true }))
        .code,
    ).toBe('definition_terminating');
    const cycle = [...parentChain, { group: 'example.dev', kind: 'Widget' }];
    expect(refusalOf(() => validateDefinitionPlace(child, { ...related, parentChain: cycle })).paths).toEqual(
      ['/spec/parent'],
    );
    const self = spec({ parent: { ...room, kind: 'Widget' } });
    expect(refusalOf(() => validateDefinitionPlace(self, { ...related, parentChain: [] })).paths).toEqual([
      '/spec/parent',
    ]);
  });

  it('refuses another parent than that of the resources that are there', () => {
    const child = spec({ parent: room });
    const code = (of: typeof child, parentOfInstances: { group: string; kind: string } | null) =>
      refusalOf(() => validateDefinitionPlace(of, { ...related, parentOfInstances })).code;
    expect(code(child, null)).toBe('definition_immutable');
    expect(code(child, { group: 'example.dev', kind: 'House' })).toBe('definition_immutable');
    expect(code(spec(), { group: 'example.dev', kind: 'Room' })).toBe('definition_immutable');
    const same = { ...related, parentOfInstances: { group: 'example.dev', kind: 'Room' } };
    expect(() => validateDefinitionPlace(child, same)).not.toThrow();
    expect(() => validateDefinitionPlace(spec(), { ...related, parentOfInstances: null })).not.toThrow();
  });

  it(`allows ${maxParentChain} ancestors and refuses one more, those below included`, () => {
    const chain = (length: number) =>
      Array.from({ length }, (_, index) => ({ group: 'example.dev', kind: `K${index}` }));
    const child = spec({ parent: room });
    expect(() =>
      validateDefinitionPlace(child, { ...related, parentChain: chain(maxParentChain) }),
    ).not.toThrow();
    expect(
      refusalOf(() => validateDefinitionPlace(child, { ...related, parentChain: chain(maxParentChain + 1) }))
        .paths,
    ).toEqual(['/spec/parent']);
    expect(
      refusalOf(() =>
        validateDefinitionPlace(child, { ...related, parentChain: chain(maxParentChain), heightBelow: 1 }),
      ).code,
    ).toBe('validation_failed');
  });
});

describe('a definition in use', () => {
  const inUse = { instances: new Map([['example.dev/v1', 2]]), heightBelow: 0 };

  it.each(['group', 'kind', 'plural', 'parent'] as const)('keeps its %s', (field) => {
    const value = { group: 'other.dev', kind: 'Other', plural: 'others', parent: room }[field];
    expect(refusalOf(() => validateDefinitionEdit(spec(), spec({ [field]: value }), inUse)).code).toBe(
      'definition_immutable',
    );
    expect(() =>
      validateDefinitionEdit(spec(), spec({ [field]: value }), { ...inUse, instances: new Map() }),
    ).not.toThrow();
  });

  it('counts the rows that keep a version', () => {
    const next = spec({ versions: [{ ...version, name: 'v2' }] });
    expect(refusalOf(() => validateDefinitionEdit(spec(), next, inUse)).code).toBe('version_in_use');
    expect(() => validateDefinitionEdit(spec(), next, inUse)).toThrow('2 at example.dev/v1');
  });

  it('is counted only for an edit of its identity, or one that removes a version', () => {
    const next = { ...version, name: 'v2', storage: false };
    expect(dependsOnInstances(spec(), spec({ versions: [version, next] }))).toBe(false);
    expect(dependsOnInstances(spec(), spec({ allowedStatusControllerIds: ['a'] }))).toBe(false);
    expect(dependsOnInstances(spec(), spec({ plural: 'others' }))).toBe(true);
    expect(dependsOnInstances(spec({ versions: [version, next] }), spec())).toBe(true);
  });

  it('says that there are more rows than were counted', () => {
    const many = { instances: new Map([['example.dev/v1', maxCountedInstances]]), heightBelow: 0 };
    expect(() => validateDefinitionDeletion(many)).toThrow('at least 10000 resource(s)');
  });

  it('cannot be deleted while rows or child definitions exist', () => {
    expect(refusalOf(() => validateDefinitionDeletion(inUse)).code).toBe('definition_in_use');
    expect(refusalOf(() => validateDefinitionDeletion({ instances: new Map(), heightBelow: 1 })).code).toBe(
      'definition_in_use',
    );
    expect(() => validateDefinitionDeletion({ instances: new Map(), heightBelow: 0 })).not.toThrow();
  });
});
