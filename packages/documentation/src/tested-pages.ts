import type { PagePart } from './run-page.ts';

const start: PagePart = { page: 'docs/getting-started.md', first: 1 };
const login: PagePart = { page: 'docs/getting-started.md', first: 2 };

/** What `test/pages.test.ts` runs: pages from top to bottom, those of a line in one shell on one platform. */
export const testedPages: readonly (readonly PagePart[])[] = [
  [{ page: 'README.md' }],
  [{ page: 'docs/getting-started.md' }],
  [start, { page: 'docs/cli.md' }],
  [
    login,
    { page: 'docs/http.md' },
    { page: 'docs/schema-validation.md' },
    { page: 'docs/oauth-proxy.md' },
    { page: 'docs/oauth-providers.md' },
  ],
];

/** The page that `test/worked-example.test.ts` runs, which needs an issuer's port besides. */
export const workedExample = 'docs/worked-example.md';
