import { operations } from './operations.ts';

const begin = '<!-- statements: written by a test -->';
const end = '<!-- end of statements -->';

/** The text of docs/store.md with its table of statements and indexes as the operations have it. */
export function withStatements(document: string): string {
  const [before, rest] = document.split(`${begin}\n`);
  const after = rest?.split(end)[1];
  if (before === undefined || after === undefined)
    throw new Error(`docs/store.md has lost ${begin} or ${end}`);
  return `${before}${begin}\n\n${table()}\n${end}${after}`;
}

function table(): string {
  const rows = Object.entries(operations).map(([name, { indexes, alternatives = [], pages, because }]) => {
    const list = (names: readonly string[]) => names.map((index) => `\`${index}\``).join(', ');
    const used = list(indexes) || 'none: a table of a handful of rows';
    const served = alternatives.length === 0 ? used : `${used}; also ${list(alternatives)}`;
    return `| ${name} | ${served} | ${pages.toLocaleString('en')}: ${because} |\n`;
  });
  return `| Operation | Indexes that its statements use | Pages that a statement may touch |\n|---|---|---|\n${rows.join('')}`;
}
