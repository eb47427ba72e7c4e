import { refusalOf } from '../../test/fixtures.ts';
import { ownerOf, validateFinalizerChange } from './finalizers.ts';

const operator = { type: 'operator', email: 'o@example.dev' } as const;
const controller = { type: 'controller', id: 'a.example/b' } as const;
const ids = ['a.example', 'a.example/b'];

describe('validateFinalizerChange', () => {
  it('refuses reserved names from operators too', () => {
    const change = { add: ['system.platform.dev/x'], remove: ['system.platform.dev/cascade-deletion'] };
    expect(refusalOf(() => validateFinalizerChange(change, operator, ids))).toMatchObject({
      code: 'finalizer_reserved',
      paths: ['/add/0', '/remove/0'],
    });
  });

  it('refuses a name in both lists', () => {
    expect(
      refusalOf(() => validateFinalizerChange({ add: ['x', 'y'], remove: ['y'] }, operator, ids)).paths,
    ).toEqual(['/add/1']);
  });

  it('refuses both at once, with every fault', () => {
    const change = { add: ['system.platform.dev/x', 'y'], remove: ['y'] };
    expect(refusalOf(() => validateFinalizerChange(change, operator, ids))).toMatchObject({
      code: 'finalizer_reserved',
      paths: ['/add/0', '/add/1'],
    });
  });

  it('tells the faults of each name, also when another one is malformed', () => {
    const body = { add: ['a b', 'system.platform.dev/x', 'y', 5, ''], remove: ['y', 5, ''], colour: 'red' };
    const { paths } = refusalOf(() => validateFinalizerChange(body, operator, ids));
    expect(paths.sort()).toEqual([
      '/add/0',
      '/add/1',
      '/add/2',
      '/add/3',
      '/add/4',
      '/colour',
      '/remove/1',
      '/remove/2',
    ]);
    for (const none of [5, null, [], { add: {} }])
      expect(refusalOf(() => validateFinalizerChange(none, operator, ids)).paths).toHaveLength(1);
  });

  it('allows an operator to remove any other finalizer, and a controller only its own', () => {
    expect(() =>
      validateFinalizerChange({ add: [], remove: ['a.example/b/held', 'free'] }, operator, ids),
    ).not.toThrow();
    expect(() =>
      validateFinalizerChange({ add: ['a.example/b/held'], remove: [] }, controller, ids),
    ).not.toThrow();
    expect(
      refusalOf(() => validateFinalizerChange({ add: [], remove: ['other/held'] }, controller, ids)).code,
    ).toBe('finalizer_not_owned');
    expect(
      refusalOf(() => validateFinalizerChange({ add: ['a.example/bx'], remove: [] }, controller, ids)).code,
    ).toBe('finalizer_not_owned');
  });

  it('assigns a name that matches two ids to the longer one', () => {
    expect(ownerOf('a.example/b/held', ids)).toBe('a.example/b');
    expect(ownerOf('a.example/c', ids)).toBe('a.example');
    expect(ownerOf('a.example', ids)).toBeNull();
    const shorter = { type: 'controller', id: 'a.example' } as const;
    expect(
      refusalOf(() => validateFinalizerChange({ add: ['a.example/b/held'], remove: [] }, shorter, ids)).code,
    ).toBe('finalizer_not_owned');
  });
});
