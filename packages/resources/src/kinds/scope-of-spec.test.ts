import { scopeUidIn, withRenamedScope } from './scope-of-spec.ts';

const path = ['selector', 'scope'];
const spec = '{"digits":1.10e0,"selector":{"scope":{"name":"old","kind":"Farm","uid":"u1"}}}';

describe('the scope in a spec', () => {
  it('gets its new uid and name, and everything else stays as it is written', () => {
    expect(scopeUidIn(spec, path)).toBe('u1');
    expect(withRenamedScope(spec, path, new Map([['u1', { uid: 'u2', name: 'n"2' }]]))).toBe(
      '{"digits":1.10e0,"selector":{"scope":{"name":"n\\"2","kind":"Farm","uid":"u2"}}}',
    );
  });

  it('stays when it is none of the renamed resources, or when there is none', () => {
    const renamed = new Map([['u3', { uid: 'u4', name: 'n' }]]);
    for (const each of [
      spec,
      '{}',
      '{"selector":null}',
      '{"selector":{"scope":{"uid":7}}}',
      '[]',
      '"text"',
    ]) {
      expect(withRenamedScope(each, path, renamed)).toBe(each);
    }
    expect(['{}', '{"selector":{"scope":{"uid":7}}}', 'null'].map((each) => scopeUidIn(each, path))).toEqual([
      null,
      null,
      null,
    ]);
  });
});
