import type { PagePart } from './run-page.ts';

const start: PagePart = { page: 'docs/getting-started.md', first: 1 };

/**
 * The pages that `pages.test.ts` runs, from top to bottom, those of a line in one shell on one platform, in the order in which the
 * README names them, so that no page is in the way of a later one.
 */
export const testedPages: readonly (readonly PagePart[])[] = [
  [{ page: 'README.md' }],
  [{ page: 'docs/getting-started.md' }],
  [
    start,
    { page: 'docs/cli.md' },
    { page: 'docs/http.md' },
    { page: 'docs/watch.md' },
    { page: 'docs/schema-validation.md' },
    { page: 'docs/oauth-proxy.md' },
    { page: 'docs/oauth-providers.md' },
  ],
];

/** The page that `worked-example.test.ts` runs, which needs an issuer's port besides. */
export const workedExample = 'docs/worked-example.md';
