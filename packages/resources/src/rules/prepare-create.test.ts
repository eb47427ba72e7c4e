import { refusalOf, widgets } from '../../test/fixtures.ts';
import { organizations } from '../kinds/organization.ts';
import { parseDocument } from '../model/json-document.ts';
import { prepareCreate } from './prepare-create.ts';

const target = (version: string) => ({ collection: widgets, version, allowsOwnerReferences: true });
const body = (metadata: object, rest: object = {}) =>
  parseDocument(
    JSON.stringify({
      apiVersion: 'example.dev/v1',
      kind: 'Widget',
      metadata: { name: 'w1', ...metadata },
      ...rest,
    }),
  );
const owner = {
  apiVersion: 'example.dev/v1',
  kind: 'Widget',
  name: 'o',
  uid: '0190A1B2-C3D4-7E5F-8A9B-0C1D2E3F4A5B',
};
const refusal = (metadata: object, rest: object = {}) =>
  refusalOf(() => prepareCreate(body(metadata, rest), target('v1')));

describe('prepareCreate', () => {
  it('fills in defaults', () => {
    expect(prepareCreate(body({}), target('v1'))).toEqual({
      name: 'w1',
      labels: {},
      metadata: '{"annotations":{}}',
      spec: { value: {}, text: '{}' },
      finalizers: [],
      ownerReferences: [],
    });
  });

  it('keeps documents as their raw text, and owner UIDs in lower case', () => {
    const document = parseDocument(
      `{"apiVersion":"example.dev/v1","kind":"Widget","metadata":{"name":"w1","annotations":{ "a":"1" },"ownerReferences":[${JSON.stringify(owner)}]},"spec":{"n":1.10}}`,
    );
    const content = prepareCreate(document, target('v1'));
    expect(content.metadata).toBe('{"annotations":{ "a":"1" }}');
    expect(content.spec.text).toBe('{"n":1.10}');
    expect(content.ownerReferences).toEqual([
      { ...owner, uid: owner.uid.toLowerCase(), blockOwnerDeletion: false },
    ]);
  });

  it('lists every fault at once', () => {
    const faults = refusal(
      { name: 'Not_A_Name', annotations: { n: 1 }, colour: 'red' },
      { extra: 1, spec: [] },
    );
    expect(faults.code).toBe('validation_failed');
    expect(faults.paths.sort()).toEqual([
      '/extra',
      '/metadata/annotations/n',
      '/metadata/colour',
      '/metadata/name',
      '/spec',
    ]);
  });

  it('lists the faults of all rules at once, with the code of the first', () => {
    const reservedName = 'system.platform.dev/cascade-deletion';
    const twice = { finalizers: ['a/b', reservedName], ownerReferences: [owner, owner] };
    expect(refusal({ ...twice, uid: 'x' }, { kind: 'Gadget', apiVersion: 'example.dev/v0' })).toMatchObject({
      code: 'validation_failed',
      paths: [
        '/metadata/uid',
        '/apiVersion',
        '/kind',
        '/metadata/finalizers',
        '/metadata/ownerReferences/1/uid',
      ],
    });
    expect(refusal(twice)).toMatchObject({
      code: 'finalizer_reserved',
      paths: ['/metadata/finalizers', '/metadata/ownerReferences/1/uid'],
    });
  });

  it('holds no rule against a part that has another form', () => {
    const { paths } = refusal({ finalizers: 'a', ownerReferences: [owner, {}] }, { apiVersion: 7, kind: [] });
    expect(paths.sort()).toEqual([
      '/apiVersion',
      '/kind',
      '/metadata/finalizers',
      '/metadata/ownerReferences/1/apiVersion',
      '/metadata/ownerReferences/1/kind',
      '/metadata/ownerReferences/1/name',
      '/metadata/ownerReferences/1/uid',
    ]);
    for (const text of ['7', 'null', '[]', '"text"'])
      expect(refusalOf(() => prepareCreate(parseDocument(text), target('v1'))).paths).toEqual(['']);
  });

  it.each(['uid', 'revision', 'generation', 'discriminator', 'creationTimestamp', 'deletionTimestamp'])(
    'refuses the server-set %s',
    (field) => {
      expect(refusal({ [field]: field === 'revision' ? 1 : 'x' }).paths).toEqual([`/metadata/${field}`]);
    },
  );

  it('treats an explicit null of a server-set field as absent', () => {
    expect(
      prepareCreate(body({ uid: null, revision: null, deletionTimestamp: null }), target('v1')).name,
    ).toBe('w1');
  });

  it('refuses a status in any form', () => {
    for (const status of [{}, null, { controllers: {} }])
      expect(refusal({}, { status }).paths).toEqual(['/status']);
  });

  it('refuses unknown fields with prototype names', () => {
    const document = parseDocument(
      '{"apiVersion":"example.dev/v1","kind":"Widget","__proto__":{},"metadata":{"name":"w1","constructor":1}}',
    );
    expect(refusalOf(() => prepareCreate(document, target('v1'))).paths.sort()).toEqual([
      '/__proto__',
      '/metadata/constructor',
    ]);
  });

  it('refuses annotations that are not strings, __proto__ included', () => {
    const document = parseDocument(
      '{"apiVersion":"example.dev/v1","kind":"Widget","metadata":{"name":"w1","annotations":{"__proto__":1}}}',
    );
    expect(refusalOf(() => prepareCreate(document, target('v1'))).paths).toEqual([
      '/metadata/annotations/__proto__',
    ]);
  });

  it('answers 422 for a served version that is not stored, in the URL or the body, and 400 for any other mismatch', () => {
    expect(refusalOf(() => prepareCreate(body({}), target('v2'))).code).toBe('storage_version_required');
    expect(refusal({}, { apiVersion: 'example.dev/v2' }).code).toBe('storage_version_required');
    expect(refusal({}, { apiVersion: 'example.dev/v0' })).toMatchObject({
      code: 'validation_failed',
      paths: ['/apiVersion'],
    });
    expect(refusal({}, { apiVersion: 'other.dev/v1', kind: 'Gadget' }).paths).toEqual([
      '/apiVersion',
      '/kind',
    ]);
  });

  it('stores duplicate finalizers once, and refuses reserved and malformed ones', () => {
    expect(prepareCreate(body({ finalizers: ['a/b', 'a/b', 'c'] }), target('v1')).finalizers).toEqual([
      'a/b',
      'c',
    ]);
    expect(refusal({ finalizers: ['system.platform.dev/cascade-deletion'] }).code).toBe('finalizer_reserved');
    expect(refusal({ finalizers: ['', 'a b', 'x'.repeat(254)] }).paths).toHaveLength(3);
    expect(refusal({ finalizers: Array.from({ length: 65 }, (_, index) => `f${index}`) }).paths).toEqual([
      '/metadata/finalizers',
    ]);
  });

  it('validates no entries of a list that is too long, and names the first of many faults', () => {
    expect(
      refusal({ finalizers: Array(1001).fill(0), ownerReferences: Array(10_001).fill(0) }).paths.sort(),
    ).toEqual(['/metadata/finalizers', '/metadata/ownerReferences']);
    const many = Object.fromEntries(Array.from({ length: 5000 }, (_, index) => [`k${index}`, 0]));
    for (const member of ['labels', 'annotations'])
      expect(refusal({ [member]: many }).paths).toHaveLength(1000);
  });

  it('refuses an owner that is named twice, unknown members of a reference and the all-zero UID', () => {
    expect(refusal({ ownerReferences: [owner, { ...owner, name: 'p' }] })).toMatchObject({
      code: 'owner_reference_invalid',
      paths: ['/metadata/ownerReferences/1/uid'],
    });
    expect(refusal({ ownerReferences: [{ ...owner, controller: true }] }).paths).toEqual([
      '/metadata/ownerReferences/0/controller',
    ]);
    expect(
      refusal({ ownerReferences: [{ ...owner, uid: '00000000-0000-0000-0000-000000000000' }] }).code,
    ).toBe('validation_failed');
  });

  it('refuses owners of a built-in kind, and accepts owners of a registered Organization', () => {
    const document = (apiVersion: string) =>
      parseDocument(
        JSON.stringify({
          apiVersion,
          kind: 'Organization',
          metadata: { name: 'o', ownerReferences: [owner] },
        }),
      );
    expect(
      refusalOf(() =>
        prepareCreate(document('platform.dev/v1alpha1'), {
          collection: organizations,
          version: 'v1alpha1',
          allowsOwnerReferences: false,
        }),
      ).code,
    ).toBe('owner_reference_invalid');
    const custom = { ...widgets, kind: 'Organization' };
    expect(
      prepareCreate(document('example.dev/v1'), { ...target('v1'), collection: custom }).ownerReferences,
    ).toHaveLength(1);
  });
});
