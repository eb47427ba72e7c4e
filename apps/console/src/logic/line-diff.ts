import { type Change, diffLines } from 'diff';

/** One line of a comparison; `…` stands for lines that are the same and left out. */
export interface DiffLine {
  readonly sign: ' ' | '+' | '-' | '…';
  readonly text: string;
}

/** Equal lines that are shown around a change. */
const context = 3;

/** Lines that may differ: the time of a comparison grows with their square. */
const mostChanges = 2_000;

/** Compares two texts line by line, with the unchanged parts folded. */
export function lineDiff(before: string, after: string): readonly DiffLine[] {
  const [old, now] = [ended(before), ended(after)];
  const parts = diffLines(old, now, { maxEditLength: mostChanges }) ?? replaced(old, now);
  return parts.flatMap(({ value, added, removed }, index): DiffLine[] => {
    const sign = added ? '+' : removed ? '-' : ' ';
    const shown = linesOf(value).map((text): DiffLine => ({ sign, text }));
    if (sign !== ' ') return shown;
    const head = index === 0 ? 0 : context;
    const tail = index === parts.length - 1 ? 0 : context;
    const left = shown.length - head - tail;
    if (left <= 1) return shown;
    return [
      ...shown.slice(0, head),
      { sign: '…', text: `${left} unchanged lines` },
      ...shown.slice(shown.length - tail),
    ];
  });
}

/** Texts with too little in common: everything between their common beginning and end is replaced. */
function replaced(before: string, after: string): readonly Pick<Change, 'value' | 'added' | 'removed'>[] {
  const [old, now] = [linesOf(before), linesOf(after)];
  const most = Math.min(old.length, now.length);
  let head = 0;
  while (head < most && old[head] === now[head]) head += 1;
  let tail = 0;
  while (tail < most - head && old.at(-1 - tail) === now.at(-1 - tail)) tail += 1;
  const text = (lines: readonly string[], from: number, to: number) =>
    lines
      .slice(from, to)
      .map((line) => `${line}\n`)
      .join('');
  const parts = [
    { value: text(old, 0, head), added: false, removed: false },
    { value: text(old, head, old.length - tail), added: false, removed: true },
    { value: text(now, head, now.length - tail), added: true, removed: false },
    { value: text(old, old.length - tail, old.length), added: false, removed: false },
  ];
  return parts.filter(({ value }) => value !== '');
}

/** The lines of a text that ends with a line. */
function linesOf(text: string): readonly string[] {
  return text.split('\n').slice(0, -1);
}

function ended(text: string): string {
  return text === '' || text.endsWith('\n') ? text : `${text}\n`;
}
