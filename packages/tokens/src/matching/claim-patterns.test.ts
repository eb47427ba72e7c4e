import { readClaimPatterns } from './claim-patterns.ts';

describe('required claims', () => {
  it('keep numbers and booleans as their JSON text', () => {
    const { patterns, faults } = readClaimPatterns({ aud: 'platform', id: 7, admin: true }, 2, '/claims');
    expect(faults).toEqual([]);
    expect({ ...patterns }).toEqual({ aud: 'platform', id: '7', admin: 'true' });
  });

  it('need an audience', () => {
    expect(readClaimPatterns({ sub: 'x' }, 1, '/claims').faults).toEqual([
      { path: '/claims/aud', message: 'is required' },
    ]);
  });

  it('need something besides the audience for a service account, but not for a controller', () => {
    expect(readClaimPatterns({ aud: 'x' }, 1, '/claims').faults).toEqual([]);
    expect(readClaimPatterns({ aud: 'x' }, 2, '/claims').faults).toMatchObject([{ path: '/claims' }]);
  });

  it('are not longer than all claims of the longest token', () => {
    const faultsOf = (last: number) => {
      const long = { a: 'x'.repeat(1024), b: 'x'.repeat(1024), c: 'x'.repeat(1024), d: 'x'.repeat(1024) };
      return readClaimPatterns({ aud: 'x'.repeat(1024), ...long, e: 'x'.repeat(last) }, 2, '/claims').faults;
    };
    expect(faultsOf(6144 - 5 * 1024 - 8)).toEqual([]);
    expect(faultsOf(6144 - 5 * 1024 - 7)).toMatchObject([{ path: '/claims' }]);
  });

  // Attack: "aud is mandatory" is met by every token of the issuer when its pattern matches everything.
  it.each([['*'], ['**']])(
    'need an audience that is not just %s, and another claim that is not',
    (anything) => {
      const faultsOf = (claims: object, minimum: 1 | 2) =>
        readClaimPatterns(claims, minimum, '/claims').faults.map(({ path, message }) => [path, message]);
      for (const minimum of [1, 2] as const) {
        expect(faultsOf({ aud: anything, sub: 'x' }, minimum)).toEqual([
          ['/claims/aud', 'must not be just "*": it must name the audience'],
        ]);
        expect(faultsOf({ aud: 'x', sub: anything }, minimum)).toEqual([
          ['/claims', 'must have a claim besides aud that is not just "*"'],
        ]);
        expect(faultsOf({ aud: 'x', sub: anything, ref: 'main' }, minimum)).toEqual([]);
        expect(faultsOf({ aud: 'platform-*', sub: 'repo:*' }, minimum)).toEqual([]);
      }
    },
  );

  // Attack: any token of the issuer has these claims, so a service account that requires nothing else is everyone's.
  it.each([['iss'], ['exp'], ['nbf'], ['iat'], ['jti']])(
    'need a claim that identifies the caller of a service account, which %s does not',
    (name) => {
      const faultsOf = (claims: object, minimum: 1 | 2) =>
        readClaimPatterns({ aud: 'x', ...claims }, minimum, '/claims').faults;
      expect(faultsOf({ [name]: '1*' }, 2)).toEqual([
        {
          path: '/claims',
          message:
            'must have a claim besides aud that identifies the caller: iss, exp, nbf, iat and jti do not',
        },
      ]);
      expect(faultsOf({ [name]: '1*', sub: '*' }, 2)).toEqual([
        { path: '/claims', message: 'must have a claim besides aud that is not just "*"' },
      ]);
      expect(faultsOf({ [name]: '1*', sub: 'x' }, 2)).toEqual([]);
      expect(faultsOf({ [name]: '1*' }, 1)).toEqual([]);
    },
  );

  it.each([[null], ['text'], [[]], [{ aud: ['a'] }], [{ aud: {} }], [{ aud: null }], [{ aud: '' }]])(
    'are refused as %j',
    (value) => {
      expect(readClaimPatterns(value, 1, '/claims').faults).not.toEqual([]);
    },
  );

  it('report every fault, each where it stands', () => {
    const { faults } = readClaimPatterns({ aud: [], 'a/b': {} }, 1, '/claims');
    expect(faults.map((fault) => fault.path)).toEqual(['/claims/aud', '/claims/a~1b']);
  });

  it('are bounded in number', () => {
    const many = Object.fromEntries(Array.from({ length: 40 }, (_, i) => [`c${i}`, 'x']));
    expect(readClaimPatterns({ aud: 'x', ...many }, 1, '/claims').faults).toHaveLength(1);
  });

  // Attack: a required claim that is dropped silently widens who matches.
  it('may not hold a claim called __proto__', () => {
    const value: unknown = JSON.parse('{"aud": "x", "sub": "y", "__proto__": "z"}');
    expect(readClaimPatterns(value, 2, '/claims').faults).toEqual([
      { path: '/claims/__proto__', message: 'is not a claim of a token' },
    ]);
  });

  it.each<[string, unknown, string, string]>([
    ['no object', null, '/claims', 'must be an object'],
    ['an empty text', { aud: '' }, '/claims/aud', 'must not be empty'],
    ['an endless text', { aud: 'a'.repeat(1025) }, '/claims/aud', 'must have at most 1024 characters'],
    ['a mapping', { aud: {} }, '/claims/aud', 'must be a text, a number or a boolean'],
    [
      'a name without characters',
      { aud: 'x', '': 'y' },
      '/claims/',
      'must have a name of 1 to 256 characters',
    ],
  ])('say what is wrong with %s', (_what, value, path, message) => {
    expect(readClaimPatterns(value, 1, '/claims').faults).toEqual([{ path, message }]);
  });
});
