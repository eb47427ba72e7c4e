import { refusalOf, widgets } from '../../test/fixtures.ts';
import type { CollectionPath } from './path.ts';
import { resolveTarget } from './target.ts';

const shelves = {
  ...widgets,
  group: 'store.example',
  kind: 'Shelf',
  plural: 'shelves',
  ancestors: [{ group: 'store.example', kind: 'Room' }],
};
const at = { group: 'store.example', version: 'v1', plural: 'shelves' };
const target = (...names: string[]) => resolveTarget({ ...at, form: 'names', names }, shelves);
const uid = '0190a1b2-c3d4-7e5f-8a9b-0c1d2e3f4a5b';
const byUid: Extract<CollectionPath, { form: 'uid' }> = {
  ...at,
  form: 'uid',
  uid,
  subresource: null,
  revision: null,
};

describe('resolveTarget by names', () => {
  it('distinguishes collection, item and subresource by the number of names', () => {
    expect(target('room-1')).toEqual({
      form: 'collection',
      ref: {
        group: 'store.example',
        kind: 'Shelf',
        ancestors: [{ group: 'store.example', kind: 'Room', name: 'room-1' }],
      },
      collection: shelves,
      version: 'v1',
    });
    expect(target('room-1', 'status')).toMatchObject({
      form: 'item',
      ref: { steps: [{ name: 'room-1' }, { name: 'status' }] },
    });
    expect(target('status', 'finalizers', 'status')).toMatchObject({
      form: 'status',
      ref: { steps: [{ name: 'status' }, { name: 'finalizers' }] },
    });
  });

  it('refuses too few and too many names, and an unknown keyword', () => {
    expect(refusalOf(() => target()).code).toBe('malformed_path');
    expect(refusalOf(() => target('room-1', 's1', 'scale')).code).toBe('malformed_path');
    expect(refusalOf(() => target('room-1', 's1', 'constructor')).code).toBe('malformed_path');
    expect(refusalOf(() => target('room-1', 's1', 'status', 'x')).code).toBe('malformed_path');
  });
});

describe('resolveTarget by uid', () => {
  it('finds an item of the kind, and its subresources', () => {
    const ref = { by: 'uid', uid, group: 'store.example', kind: 'Shelf' };
    expect(resolveTarget(byUid, shelves)).toMatchObject({ form: 'item', ref });
    expect(resolveTarget({ ...byUid, subresource: 'status' }, shelves)).toMatchObject({
      form: 'status',
      ref,
    });
  });

  it('finds an item of an unregistered kind at its stored apiVersion', () => {
    const ref = { by: 'unregistered', uid, apiVersion: 'store.example/v1' };
    const item = { form: 'item', ref, revision: null, collection: null, version: 'v1' };
    expect(resolveTarget(byUid, null)).toEqual(item);
  });
});

describe('resolveTarget', () => {
  it.each([
    ['by names in a kind that is not registered', { ...at, form: 'names', names: [] }, null],
    ['at a version that is not served', { ...byUid, version: 'v0' }, shelves],
    [
      'below a kind whose definition is missing',
      { ...at, form: 'names', names: ['x'] },
      { ...shelves, ancestors: null },
    ],
  ] as const)('answers unknown_collection %s', (_where, path, collection) => {
    expect(refusalOf(() => resolveTarget(path, collection)).code).toBe('unknown_collection');
  });
});
