import { repositoryPaths, textOf } from './markdown-files.ts';

/** The areas that are written in plain English. Add yours when it is clean; docs/glossary.md lists the terms. */
const cleanAreas = [
  'apps/api/src/',
  'apps/collector/',
  'apps/launcher/',
  'CONTRIBUTING.md',
  'docs/',
  'examples/',
  'packages/access/',
  'packages/bench/',
  'packages/change-log/',
  'packages/cli/src/',
  'packages/cli/test/',
  'packages/client/',
  'packages/config/',
  'packages/crypto/',
  'packages/development/',
  'packages/garbage-collector/',
  'packages/kernel/',
  'packages/key-rotation/',
  'packages/kubernetes/',
  'packages/login/',
  'packages/oauth-proxy/',
  'packages/oidc-client/',
  'packages/outbound-http/',
  'packages/postgres/',
  'packages/projects/',
  'packages/resources/',
  'packages/schema-validation/',
  'packages/service-runtime/',
  'packages/store-memory/',
  'packages/store-postgres/',
  'packages/testkit/',
  'packages/tokens/',
  'README.md',
  'SECURITY.md',
];

const sentenceStart = String.raw`(?:^|[.:;!?] |/\*\* |// |\* |['"\x60|] ?)`;

/** Patterns that are hard to read, or that cite a document that readers cannot open. */
const forbidden: readonly (readonly [name: string, pattern: RegExp])[] = [
  ['a sentence that opens with "What"', new RegExp(String.raw`${sentenceStart}What (?![^.]*\?)`)],
  ['a sentence that opens with "Whoever"', new RegExp(String.raw`${sentenceStart}Whoever\b`)],
  ['a sentence that opens with "Nothing is"', new RegExp(String.raw`${sentenceStart}Nothing is\b`, 'i')],
  ['an archaism', /\b(?:beside|anew|lest|for ever|mend(?:ed|s)?|thereof)\b/i],
  [
    'a citation that cannot be opened',
    /\bcontract,? (?:section )?\d|\bthe (?:specification|contract|guide)\b/i,
  ],
  ['a riddle', /\b(?:nobody is there|hangs? on (?:it|a resource|another)|let a resource go)\b/i],
];

function violations(path: string): string[] {
  return textOf(path)
    .split('\n')
    .flatMap((line, index) =>
      forbidden
        .filter(([, pattern]) => pattern.test(line))
        .map(([name]) => `${path}:${index + 1}: ${name}: ${line.trim()}`),
    );
}

it.each(cleanAreas)('%s is written in plain English', (area) => {
  const paths = repositoryPaths().filter(
    (path) => path.startsWith(area) && /\.(?:md|ts|js)$/.test(path) && !path.endsWith('.d.ts'),
  );
  expect(paths).not.toEqual([]);
  expect(paths.flatMap(violations)).toEqual([]);
});

it.each([
  ['What is above comes first.', true],
  ['// Whoever waits for a lock holds a connection.', true],
  ["new Failure('usage', 'nothing is kept')", true],
  ['as the API answers (contract 4.2)', true],
  ['a file beside the other', true],
  ['The client retries with exponential backoff.', false],
])('finds unclear English in %s: %s', (line, expected) => {
  expect(forbidden.some(([, pattern]) => pattern.test(line))).toBe(expected);
});
