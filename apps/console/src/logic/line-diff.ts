import { diffLines } from 'diff';

/** One line of a comparison; `…` stands for lines that are the same and left out. */
export interface DiffLine {
  readonly sign: ' ' | '+' | '-' | '…';
  readonly text: string;
}

/** Equal lines that are shown around a change. */
const context = 3;

/** Compares two texts line by line, with the unchanged parts folded. */
export function lineDiff(before: string, after: string): readonly DiffLine[] {
  const parts = diffLines(ended(before), ended(after));
  return parts.flatMap(({ value, added, removed }, index): DiffLine[] => {
    const lines = value.split('\n').slice(0, -1);
    const sign = added ? '+' : removed ? '-' : ' ';
    const shown = lines.map((text): DiffLine => ({ sign, text }));
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

function ended(text: string): string {
  return text === '' || text.endsWith('\n') ? text : `${text}\n`;
}
