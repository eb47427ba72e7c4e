import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { repositoryPaths, root, textOf } from './markdown-files.ts';
import { readAnchors } from './read-links.ts';

const paths = repositoryPaths();
const texts = paths.filter(
  (path) =>
    /(?:\.(?:md|ts|mts|mjs|js|sql|ya?ml|sh|vue|conf)|Dockerfile|\.ci\/run)$/.test(path) &&
    !/^(?:pnpm-lock\.yaml|test\/docs\/|CHANGELOG\.md$)/.test(path),
);
const decisions = new Set(paths.flatMap((path) => /^docs\/decisions\/(\d{4})-/.exec(path)?.slice(1) ?? []));

/** Old citations of documents that are not in the repository. Take an area off when its last one is gone; add none. */
const areasWithOldCitations = [
  'apps/api/',
  // Applied migrations never change.
  'drizzle/',
  'packages/store-postgres/',
];

/** The citations of a text that readers cannot open, each with its line. */
function brokenCitations(path: string, text: string): string[] {
  return text.split('\n').flatMap((line, index) => {
    const broken = [
      ...[...line.matchAll(/\b(?:decisions?|ADRs?) (\d{4})\b/gi)]
        .filter(([, number = '']) => !decisions.has(number))
        .map(([citation]) => citation),
      ...[...line.matchAll(/\bdocs\/(?!decisions\/NNNN)[\w/-]+\.md(?:#([\w-]+)|, "([^"]+)")?/g)]
        .filter(
          ([citation, anchor, heading]) => !isThere(citation.replace(/(?:#|, ).*/, ''), anchor, heading),
        )
        .map(([citation]) => citation),
      ...(areasWithOldCitations.some((area) => path.startsWith(area))
        ? []
        : (line.match(
            /\bcontract,? (?:section )?\d|\((?:contract|specification)[ ,]|\bthe (?:specification|contract)\b/gi,
          ) ?? [])),
    ];
    return broken.map((citation) => `${path}:${index + 1}: ${citation}`);
  });
}

function isThere(page: string, anchor: string | undefined, heading: string | undefined): boolean {
  if (!existsSync(join(root, page))) return false;
  const text = textOf(page);
  return heading === undefined
    ? anchor === undefined || readAnchors(text).has(anchor)
    : new RegExp(`^#+ .*${heading.replace(/[^\w ]/g, '.')}`, 'm').test(text);
}

it('every citation of a decision, a page or a heading leads to it', () => {
  expect(texts.length).toBeGreaterThan(800);
  expect(texts.flatMap((path) => brokenCitations(path, textOf(path)))).toEqual([]);
});

it.each([
  ['see decision 9999', ['decision 9999']],
  ['see Decision 0001', []],
  ['docs/nowhere.md', ['docs/nowhere.md']],
  ['docs/errors.md#nothing_of_the_kind', ['docs/errors.md#nothing_of_the_kind']],
  ['docs/errors.md#outcome_unknown', []],
  ['docs/http.md, "No such heading"', ['docs/http.md, "No such heading"']],
  ['as it must be (contract 2.17)', ['(contract ']],
  ['in the order of the specification', ['the specification']],
])('%s: cites nothing that cannot be opened, except %j', (line, broken) => {
  expect(brokenCitations('a.ts', line).map((each) => each.replace(/^a\.ts:1: /, ''))).toEqual(broken);
});
