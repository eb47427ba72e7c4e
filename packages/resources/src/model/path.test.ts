import { Problem } from '@platform/kernel';
import { canonicalPath, parsePath } from './path.ts';

const uid = '0190a1b2-c3d4-7e5f-8a9b-0c1d2e3f4a5b';
const codeOf = (run: () => unknown): string => {
  try {
    run();
  } catch (error) {
    if (error instanceof Problem) return error.code;
    throw error;
  }
  return 'accepted';
};

describe('parsePath', () => {
  it('reads collection coordinates and decoded names', () => {
    expect(parsePath('store.example/v1/shelves/room%2D1/s1')).toEqual({
      form: 'names',
      group: 'store.example',
      version: 'v1',
      plural: 'shelves',
      names: ['room-1', 's1'],
    });
  });

  it('splits before it decodes, so an encoded slash stays inside its name', () => {
    expect(parsePath('g/v1/shelves/a%2Fb')).toMatchObject({ names: ['a/b'] });
  });

  it('accepts pending-deletion only as the sole segment', () => {
    expect(parsePath('pending-deletion')).toEqual({ form: 'pendingDeletion' });
    expect(parsePath('g/v1/shelves/pending-deletion')).toMatchObject({ names: ['pending-deletion'] });
  });

  it('reads uid addressing in any case, with and without a subresource', () => {
    expect(parsePath(`g/v1/shelves/uid:${uid.toUpperCase()}`)).toMatchObject({
      form: 'uid',
      uid,
      subresource: null,
    });
    expect(parsePath(`g/v1/shelves/uid:${uid}/deletion-blockers`)).toMatchObject({
      subresource: 'deletionBlockers',
    });
    expect(parsePath(`g/v1/shelves/uid:${uid}/history/12`)).toMatchObject({
      subresource: 'history',
      revision: 12,
    });
  });

  it.each([
    ['', 'nothing'],
    ['g', 'one segment that is no keyword'],
    ['g/v1', 'no plural'],
    ['g/v1/shelves/', 'a trailing slash'],
    ['g//shelves', 'an empty segment'],
    ['g/v1/shelves/%E0%A4%A', 'a bad encoding'],
    ['g/v1/shelves/%00', 'a NUL'],
    [`g/v1/shelves/room/uid:${uid}`, 'a uid after a name'],
    [`uid:${uid}/v1/shelves`, 'a uid as the group'],
    [`g/v1/shelves/uid:${uid}/s1`, 'a name after a uid'],
    [`g/v1/shelves/uid:${uid}/status/x`, 'more after a subresource'],
    [`g/v1/shelves/uid:${uid}/history/0`, 'a history of no revision'],
    [`g/v1/shelves/uid:${uid}/history/1/2`, 'more after a revision'],
    ['g/v1/shelves/uid:nonsense', 'a uid that is no UUID'],
    ['pending-deletion/x', 'something after pending-deletion'],
  ])('refuses %j: %s', (path) => {
    expect(codeOf(() => parsePath(path))).toBe('malformed_path');
  });
});

describe('the canonical path', () => {
  it.each([
    [`/g/v1/farms/uid:${uid.toUpperCase()}/restore`, `/g/v1/farms/uid:${uid}/restore`],
    [`/g/v1/farms/uid%3a${uid.toUpperCase()}`, `/g/v1/farms/uid:${uid}`],
    ['/g/v1/f%61rms/%2D', '/g/v1/farms/-'],
    ['/g/v1/farms/a%2fb', '/g/v1/farms/a%2Fb'],
    ['/g/v1/farms/A%', '/g/v1/farms/A%'],
  ])('of %s is %s', (path, canonical) => {
    expect(canonicalPath(path)).toBe(canonical);
  });
});
