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

it('says in plain words what a value must be, where the schema has no message of its own', () => {
  const path = ['a'];
  const expected = 'Invalid input: expected';
  const issues = [
    { code: 'invalid_type', path, expected: 'string', message: `${expected} string, received number` },
    { code: 'invalid_type', path, expected: 'record', message: `${expected} record, received null` },
    { code: 'invalid_type', path, expected: 'date', message: `${expected} date, received null` },
    { code: 'invalid_value', path, values: ['b', 'c'], message: 'Invalid option: expected one of "b"|"c"' },
    { code: 'invalid_value', path, values: ['b', 'c'], message: 'must be a letter' },
    { code: 'too_big', path, origin: 'string', maximum: 9, message: 'Too big: expected string to have <=9' },
    { code: 'too_small', path, origin: 'number', minimum: 1, message: 'Too small: expected number >=1' },
  ];
  expect(schemaFaults(issues).map(({ message }) => message)).toEqual([
    'must be a string',
    'must be an object',
    'Invalid input: expected date, received null',
    'must be b or c',
    'must be a letter',
    'must have at most 9 characters',
    'must be at least 1',
  ]);
});
