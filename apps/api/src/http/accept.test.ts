import { acceptedCodings, asksForPage, preferredType } from './accept.ts';

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
  ['text/*', false],
  ['', false],
  ['text/html, */*', true],
  ['text/html,application/xhtml+xml,application/xml;q=0.9,image/avif,image/webp,*/*;q=0.8', true],
  ['text/html, application/json;q=0.9', true],
  ['application/json, text/html;q=0.9', false],
  ['application/problem+json, text/html;q=0.9', false],
  ['application/yaml, text/html;q=0.9', false],
  // Java's HttpURLConnection, and the same without what is no media range.
  ['text/html, image/gif, image/jpeg, *; q=.2, */*; q=.2', false],
  ['text/html, image/gif, image/jpeg, */*; q=0.2', false],
])('%j asks for a page: %s', (accept, asks) => {
  expect(asksForPage(accept)).toBe(asks);
});

// Attack: thousands of entries, which take tens of milliseconds to read.
it('a header that is too long counts as not sent', () => {
  expect(preferredType(`application/yaml,${'a/b,'.repeat(300)}`, [...forms])).toBeUndefined();
  expect(asksForPage(`text/html,${'a/b,'.repeat(300)}`)).toBe(false);
  expect(acceptedCodings(`br,${'a,'.repeat(600)}`, ['br'])).toEqual([]);
});
