import { repositoryPaths, textOf } from './markdown-files.ts';

/** Files that are not held to it: migrations never change, and these tests quote bad sentences. */
const exceptions = /^drizzle\/|^test\/docs\/(?:citations|plain-english)\.test\.ts$/;

const checked = repositoryPaths().filter(
  (path) =>
    /\.(?:md|tsx?|m?js|ya?ml|css)$/.test(path) && !/\.d\.ts$|^pnpm-lock/.test(path) && !exceptions.test(path),
);

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

it('every file is written in plain English', () => {
  expect(checked.length).toBeGreaterThan(1_000);
  expect(checked.flatMap(violations)).toEqual([]);
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
