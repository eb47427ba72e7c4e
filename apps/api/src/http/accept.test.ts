import { acceptedCodings, acceptsByName, preferredType } from './accept.ts';

const forms = ['application/json', 'application/yaml', 'text/html'] as const;

it.each([
  ['*/*', 'application/json'],
  ['text/*', 'text/html'],
  ['application/yaml;q=0.1, application/json;q=0.2', 'application/json'],
  ['APPLICATION/YAML', 'application/yaml'],
  ['image/png', undefined],
  ['application/yaml;q=much', undefined],
  [undefined, undefined],
])('of the forms of an answer, %j prefers %s', (accept, form) => {
  expect(preferredType(accept, [...forms])).toBe(form);
});

it.each([
  ['text/html', true],
  ['image/png, Text/HTML;q=0.1', true],
  ['text/html;q=0.000', false],
  ['*/*', false],
  ['', false],
])('%j names HTML: %s', (accept, names) => {
  expect(acceptsByName(accept, 'text/html')).toBe(names);
});

// Attack: thousands of entries, which take tens of milliseconds to read.
it('a header that is too long counts as not sent', () => {
  expect(preferredType(`application/yaml,${'a/b,'.repeat(300)}`, [...forms])).toBeUndefined();
  expect(acceptsByName(`text/html,${'a/b,'.repeat(300)}`, 'text/html')).toBe(false);
  expect(acceptedCodings(`br,${'a,'.repeat(600)}`, ['br'])).toEqual([]);
});
