import { markdownFiles, repositoryPaths, textOf } from './markdown-files.ts';

const paths = repositoryPaths();

/** Where a path of a page may lead: `<area>` is any name, `NNNN` any number, `name` after it any name, `*` any text. */
function leadsSomewhere(path: string): boolean {
  const source = path
    .replace(/[.+?^${}()|[\]\\]/g, '\\$&')
    .replace(/NNNN([_-])name/g, '\\d{4}$1[^/]+')
    .replace(/<[a-z-]+>|\*+/g, '[^/]+');
  const pattern = new RegExp(`^${source}$`);
  return paths.some((known) => pattern.test(known));
}

/** Whether only `pnpm build` makes it. */
const isBuilt = (path: string) => /\/dist\/|^apps\/cli\/bundle|^apps\/api\/downloads/.test(path);

it.each([
  ['docs/errors.md', true],
  ['docs/errors', false],
  ['packages/<area>/src/rules/', true],
  ['packages/<area>/src/rulez/', false],
  ['drizzle/NNNN_name.sql', true],
])('%s leads somewhere: %s', (path, expected) => {
  expect(leadsSomewhere(path)).toBe(expected);
});

it('every path that a page names exists', () => {
  const missing: string[] = [];
  let looked = 0;
  for (const page of markdownFiles()) {
    for (const [, span = ''] of textOf(page).matchAll(/`([^`\n]+)`/g)) {
      const [path = ''] =
        /^(?:packages|apps|docs|docker|drizzle|examples|test|tools|\.ci)\/[\w./<>*@-]*$/.exec(span) ?? [];
      if (path === '' || isBuilt(path) || path.endsWith('/...')) continue;
      looked += 1;
      if (!leadsSomewhere(path)) missing.push(`${page}: ${path}`);
    }
  }
  expect(missing).toEqual([]);
  expect(looked).toBeGreaterThan(100);
});

it.each(['package.json', '.ci/run'])('every path that a command of %s names exists', (file) => {
  const named =
    textOf(file).match(/(?<=[\s"'])(?:packages|apps|docs|docker|drizzle|test|tools)\/[\w./-]+/g) ?? [];
  const missing = named.filter((path) => !isBuilt(path) && !leadsSomewhere(path));
  expect(missing).toEqual([]);
});

it('CONTRIBUTING names a file for each recipe and each test that holds it', () => {
  const rows = textOf('CONTRIBUTING.md').match(/^\| (?:a|an) .*\|$/gm) ?? [];
  expect(rows.length).toBeGreaterThan(12);
  const bare = rows.filter((row) => !/`(?:packages|apps|docs|docker|drizzle|test)\//.test(row));
  expect(bare).toEqual([]);
});
