import { existsSync } from 'node:fs';
import { basename, dirname, join, normalize } from 'node:path';
import { markdownFiles, root, textOf } from './markdown-files.ts';
import { readAnchors, readLinks } from './read-links.ts';

const pages = markdownFiles();

it('every link between pages leads to a file, and to a heading of it', () => {
  const broken: string[] = [];
  let looked = 0;
  for (const page of pages) {
    for (const { line, target } of readLinks(textOf(page))) {
      if (/^(?:https?:|mailto:)/.test(target)) continue;
      const [path = '', anchor] = target.split('#');
      const file = path === '' ? page : normalize(join(dirname(page), path));
      const isThere = existsSync(join(root, file));
      const hasAnchor =
        anchor === undefined || (file.endsWith('.md') && readAnchors(textOf(file)).has(anchor));
      if (!isThere || !hasAnchor) broken.push(`${page}:${line} ${target}`);
      looked += 1;
    }
  }
  expect(broken).toEqual([]);
  expect(looked).toBeGreaterThan(90);
});

it('every page of docs can be reached from the README', () => {
  const reached = new Set<string>();
  const visit = (page: string) => {
    if (reached.has(page)) return;
    reached.add(page);
    for (const { target } of readLinks(textOf(page))) {
      const file = normalize(join(dirname(page), target.split('#')[0] ?? ''));
      if (pages.includes(file)) visit(file);
    }
  };
  visit('README.md');
  expect(pages.filter((page) => page.startsWith('docs/') && !reached.has(page))).toEqual([]);
});

it('the index of decisions names each by its title, and has every number once', () => {
  const records = pages.filter((page) => /^docs\/decisions\/\d/.test(page));
  const rows = records.map((page) => {
    const [, number, title] = /^# (\d{4})\. (.+)$/m.exec(textOf(page)) ?? [];
    return `| ${number} | [${title}](${basename(page)}) |`;
  });
  const index = textOf('docs/decisions/README.md')
    .split('\n')
    .filter((line) => /^\| \d/.test(line));
  expect(index).toEqual(rows);
  expect(new Set(records.map((page) => basename(page).slice(0, 4))).size).toBe(records.length);
});
