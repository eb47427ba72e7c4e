import CliTable from 'cli-table3';
import { printable } from './format.ts';

const noBorders = {
  top: '',
  'top-mid': '',
  'top-left': '',
  'top-right': '',
  bottom: '',
  'bottom-mid': '',
  'bottom-left': '',
  'bottom-right': '',
  left: '',
  'left-mid': '',
  mid: '',
  'mid-mid': '',
  right: '',
  'right-mid': '',
  middle: '   ',
};

/** A table without borders; each column is as wide as its longest cell. */
export function table(headings: readonly string[], rows: readonly (readonly string[])[]): string {
  const rendered = new CliTable({
    chars: noBorders,
    style: { 'padding-left': 0, 'padding-right': 0, head: [], border: [] },
  });
  rendered.push([...headings], ...rows.map((row) => row.map(printable)));
  return `${rendered
    .toString()
    .split('\n')
    .map((line) => line.trimEnd())
    .join('\n')}\n`;
}
