import CliTable from 'cli-table3';

const none = {
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

/** Rows below headings, in columns as wide as they need to be. */
export function table(headings: readonly string[], rows: readonly (readonly string[])[]): string {
  const made = new CliTable({
    chars: none,
    style: { 'padding-left': 0, 'padding-right': 0, head: [], border: [] },
  });
  made.push([...headings], ...rows.map((row) => row.map(printable)));
  return `${made
    .toString()
    .split('\n')
    .map((line) => line.trimEnd())
    .join('\n')}\n`;
}

/** Text of other people without what a terminal would obey: they may have put escape sequences into a name or an annotation. */
export function printable(text: string): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: these are what is taken out
  return text.replace(/[\u0000-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069]/g, '\ufffd');
}
