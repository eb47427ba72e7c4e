/** The pages that `test/pages.test.ts` runs from top to bottom, and how many blocks of each at least. */
export const testedPages: Readonly<Record<string, number>> = {
  'README.md': 4,
  'docs/getting-started.md': 10,
  'docs/cli.md': 10,
};

/** The page that `test/worked-example.test.ts` runs, which needs an issuer's port besides. */
export const workedExample = 'docs/worked-example.md';
