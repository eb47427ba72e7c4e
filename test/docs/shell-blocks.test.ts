import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { markdownFiles, root, textOf } from './markdown-files.ts';
import { readFences, readShellBlocks } from './shell-page.ts';
import { testedPages, workedExample } from './tested-pages.ts';

const pages = markdownFiles();
const whole = testedPages.flat().filter(({ first }) => first === undefined);
const run = new Set([...whole.map(({ page }) => page), workedExample]);
const fences = pages.flatMap((page) => readFences(textOf(page)).map((fence) => ({ page, ...fence })));
const blocks = pages.flatMap((page) => readShellBlocks(textOf(page)).map((block) => ({ page, ...block })));

const known = /^(?:sh|text|json|yaml|ts|nginx|sql|mermaid|http)$/;
const command =
  /^(?:\$ |npx |npm |pnpm |node |curl |docker |kubectl |git |platform |\.\/platform |export |psql |sudo )/m;

describe('every shell block of the documentation', () => {
  it('is found', () => {
    expect(pages).toEqual(expect.arrayContaining([...run, 'CONTRIBUTING.md']));
    expect(blocks.length).toBeGreaterThan(60);
  });

  it('is marked sh, and what is not is marked as what it is', () => {
    const unknown = fences.filter(({ language }) => !known.test(language));
    expect(unknown.map(({ page, line, language }) => `${page}:${line} ${language}`)).toEqual([]);
    const hidden = fences.filter(({ language, content }) => language === 'text' && command.test(content));
    expect(hidden.map(({ page, line }) => `${page}:${line}`)).toEqual([]);
  });

  it('is run by a test, or says why it cannot be', () => {
    const untested = blocks.filter(
      ({ page, manner: { as } }) => !run.has(page) && as !== 'run by' && as !== 'not run',
    );
    expect(untested.map(({ page, line }) => `${page}:${line}`)).toEqual([]);
  });

  it('names a test that exists and reads its page', () => {
    const wrong = blocks.filter(({ page, manner }) => {
      if (manner.as !== 'run by') return false;
      return !existsSync(join(root, manner.file)) || !textOf(manner.file).includes(page);
    });
    expect(wrong.map(({ page, line }) => `${page}:${line}`)).toEqual([]);
  });
});

it('a block that shows a file shows what is in it', () => {
  const shown = fences.filter(({ info }) => info.includes('/'));
  expect(shown.length).toBeGreaterThan(1);
  for (const { page, info, content } of shown) expect(`${page} ${content}`).toBe(`${page} ${textOf(info)}`);
});
