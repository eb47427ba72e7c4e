import { refusalOf, widget, widgets } from '../../test/fixtures.ts';
import { parseDocument } from '../model/json-document.ts';
import type { Resource } from '../model/resource.ts';
import { prepareReplace } from './prepare-replace.ts';

const body = (metadata: object, rest: object = {}) =>
  parseDocument(
    JSON.stringify({
      apiVersion: 'example.dev/v1',
      kind: 'Widget',
      metadata: { name: 'w1', revision: 3, ...metadata },
      spec: { size: 1 },
      ...rest,
    }),
  );
const prepare = (metadata: object, rest: object = {}, stored: Resource = widget) =>
  prepareReplace(body(metadata, rest), stored, {
    collection: widgets,
    version: 'v1',
    allowsOwnerReferences: true,
  });
const refusal = (metadata: object, rest: object = {}, stored: Resource = widget) =>
  refusalOf(() => prepare(metadata, rest, stored));
const cascade = 'system.platform.dev/cascade-deletion';
const owner = {
  apiVersion: 'example.dev/v1',
  kind: 'Widget',
  name: 'o',
  uid: '0190a1b2-c3d4-7e5f-8a9b-0c1d2e3f4a5c',
  blockOwnerDeletion: false,
};

describe('prepareReplace', () => {
  it('accepts what was read, sent back as it is', () => {
    const { uid, discriminator, generation, creationTimestamp } = widget;
    const replacement = prepare({
      uid: uid.toUpperCase(),
      discriminator,
      generation,
      creationTimestamp,
      deletionTimestamp: null,
    });
    expect(replacement).toMatchObject({ specChanged: false, addedOwners: [] });
  });

  it('compares spec by value, not by notation', () => {
    expect(prepare({}, { spec: { size: 1.0 } }).specChanged).toBe(false);
    expect(prepare({}, { spec: { size: 2 } }).specChanged).toBe(true);
    expect(prepare({}, { spec: undefined }).specChanged).toBe(true);
  });

  it('requires the revision that was read', () => {
    expect(refusal({ revision: undefined }).code).toBe('revision_required');
    expect(refusal({ revision: null }).code).toBe('revision_required');
    expect(refusal({ revision: 2 }).code).toBe('revision_conflict');
    expect(refusal({ revision: '3' })).toMatchObject({
      code: 'validation_failed',
      paths: ['/metadata/revision'],
    });
    expect(refusal({ revision: 3.5 }).code).toBe('validation_failed');
  });

  it('refuses every changed server-set field, a changed name and a status, all at once', () => {
    expect(
      refusal({
        name: 'w2',
        uid: owner.uid,
        generation: 9,
        deletionTimestamp: widget.creationTimestamp,
      }).paths.sort(),
    ).toEqual(['/metadata/deletionTimestamp', '/metadata/generation', '/metadata/name', '/metadata/uid']);
    expect(refusal({}, { status: { controllers: {} } }).paths).toEqual(['/status']);
  });

  it('lists the faults of all rules at once, with the code of the first', () => {
    expect(
      refusal(
        { name: 'w2', revision: undefined, uid: owner.uid, finalizers: [cascade], extra: 1 },
        { kind: 'Gadget', spec: [] },
      ),
    ).toMatchObject({
      code: 'validation_failed',
      paths: [
        '/metadata/extra',
        '/spec',
        '/kind',
        '/metadata/name',
        '/metadata/uid',
        '/metadata/revision',
        '/metadata/finalizers',
      ],
    });
  });

  it('reports a stale revision before server-set fields that the other writer changed', () => {
    const read = { uid: widget.uid, generation: widget.generation, discriminator: widget.discriminator };
    const stored = {
      ...widget,
      revision: 4,
      generation: widget.generation + 1,
      deletionTimestamp: '2026-01-02T00:00:00.000Z',
    };
    expect(refusal({ ...read, revision: 3, deletionTimestamp: null }, {}, stored).code).toBe(
      'revision_conflict',
    );
    const recreated = { ...widget, uid: owner.uid, revision: 1, discriminator: 'zzzzzzzz' };
    expect(refusal({ ...read, revision: 3 }, {}, recreated).code).toBe('revision_conflict');
    // Faults that no other writer can have caused are reported first.
    expect(refusal({ ...read, revision: 3, name: 'w2' }, {}, stored).paths).toEqual(['/metadata/name']);
  });

  it('refuses to add or remove reserved finalizers, and accepts unchanged ones', () => {
    const held = { ...widget, finalizers: [cascade, 'a/b'] };
    expect(prepare({ finalizers: [cascade] }, {}, held).finalizers).toEqual([cascade]);
    expect(refusal({ finalizers: ['a/b'] }, {}, held).code).toBe('finalizer_reserved');
    expect(refusal({}, {}, held).code).toBe('finalizer_reserved');
    expect(refusal({ finalizers: [cascade] }).code).toBe('finalizer_reserved');
  });

  it('accepts 64 finalizers besides the one of the cascade, and no more', () => {
    const finalizers = [...Array.from({ length: 64 }, (_, index) => `a/${index}`), cascade];
    const held = { ...widget, finalizers };
    expect(prepare({ finalizers }, {}, held).finalizers).toEqual(finalizers);
    expect(refusal({ finalizers: [...finalizers, 'a/new'] }, {}, held).paths).toEqual([
      '/metadata/finalizers',
    ]);
  });

  it('checks only the owner references that changed', () => {
    const owned = { ...widget, ownerReferences: [owner] };
    expect(prepare({ ownerReferences: [owner] }, {}, owned).addedOwners).toEqual([]);
    expect(
      prepare({ ownerReferences: [{ ...owner, blockOwnerDeletion: true }] }, {}, owned).addedOwners,
    ).toHaveLength(1);
    expect(prepare({}, {}, owned).ownerReferences).toEqual([]);
  });
});
