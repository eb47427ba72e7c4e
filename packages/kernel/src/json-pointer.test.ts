import { jsonPointer, pointerSteps, schemaFaults } from './json-pointer.ts';

it('escapes each step once (RFC 6901, section 3)', () => {
  expect(jsonPointer(['a/b', 'm~n', '~1', 0])).toBe('/a~1b/m~0n/~01/0');
  expect(jsonPointer([])).toBe('');
});

it('takes a pointer apart as it was put together', () => {
  for (const path of [['a/b', 'm~n', '~1', '~01', '0'], [''], []]) {
    expect(pointerSteps(jsonPointer(path))).toEqual(path);
  }
});

it('reports each unknown field, and a missing field as required', () => {
  const issues = [
    { code: 'unrecognized_keys', path: ['a'], message: 'x', keys: ['b', 'c/d'] },
    { code: 'invalid_type', path: ['e'], message: 'Invalid input: expected string, received undefined' },
    { code: 'too_small', path: [], message: 'is too short' },
  ];
  expect(schemaFaults(issues, '/spec')).toEqual([
    { path: '/spec/a/b', message: 'is not a known field' },
    { path: '/spec/a/c~1d', message: 'is not a known field' },
    { path: '/spec/e', message: 'is required', reason: 'FieldValueRequired' },
    { path: '/spec', message: 'is too short' },
  ]);
});
