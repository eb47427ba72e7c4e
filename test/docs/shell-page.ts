/** How a block is run; said by a comment right above it, such as `<!-- until as shown -->`. */
export type Manner =
  | { readonly as: 'step' }
  /** `terminal: <text>`: in a terminal of its own, where it goes on after it has printed the text. */
  | { readonly as: 'terminal'; readonly until: string }
  /** `until as shown`: again and again, until it prints the output below. */
  | { readonly as: 'repeated' }
  /** `ends with <code>`: a refusal that the page is about. */
  | { readonly as: 'refused'; readonly code: number }
  /** `needs: <program>`: only where the program is installed. */
  | { readonly as: 'where'; readonly program: string }
  /** `not run: <reason>`. */
  | { readonly as: 'not run'; readonly reason: string }
  /** `run by: <file>`: not here, but by that test. */
  | { readonly as: 'run by'; readonly file: string };

/** One block of a page that a shell runs, and what it must print. */
export interface ShellBlock {
  /** The line of the page that it begins at. */
  readonly line: number;
  readonly script: string;
  readonly manner: Manner;
  /** The `text` block right below; undefined when there is none. */
  readonly expected: string | undefined;
}

/** A fenced block of a page. */
export interface Fence {
  readonly line: number;
  /** The first word after the fence; empty when there is none. */
  readonly language: string;
  /** The text after the language. */
  readonly info: string;
  /** The comment in the line above; undefined when there is none. */
  readonly comment: string | undefined;
  readonly content: string;
}

/** The blocks marked `sh`, in order. Blocks marked otherwise (`yaml`, `ts`) are for reading only. */
export function readShellBlocks(markdown: string): ShellBlock[] {
  const fences = readFences(markdown);
  return fences.flatMap((fence, index) => {
    if (fence.language !== 'sh') return [];
    const next = fences[index + 1];
    return [
      {
        line: fence.line,
        script: fence.content,
        manner: readManner(fence),
        expected: next?.language === 'text' ? next.content : undefined,
      },
    ];
  });
}

/** Throws for an unknown comment. */
function readManner({ line, comment }: Fence): Manner {
  if (comment === undefined) return { as: 'step' };
  if (comment === 'until as shown') return { as: 'repeated' };
  const [, key, value = ''] = /^(terminal|ends with|needs|not run|run by):? (.+)$/.exec(comment) ?? [];
  if (key === 'terminal') return { as: 'terminal', until: value };
  if (key === 'ends with' && /^\d+$/.test(value)) return { as: 'refused', code: Number(value) };
  if (key === 'needs') return { as: 'where', program: value };
  if (key === 'not run') return { as: 'not run', reason: value };
  if (key === 'run by') return { as: 'run by', file: value };
  throw new Error(`line ${line}: nobody knows what <!-- ${comment} --> means`);
}

/** Every fenced block of a page, in order. Throws when one has no end. */
export function readFences(markdown: string): Fence[] {
  const fences: Fence[] = [];
  const lines = markdown.split('\n');
  let open: (Omit<Fence, 'content'> & { content: string[] }) | undefined;
  for (const [index, line] of lines.entries()) {
    if (open === undefined) {
      const [opening, language = '', info = ''] = /^```(\w*) ?(.*)$/.exec(line) ?? [];
      const comment = /^<!-- (.+) -->$/.exec(lines[index - 1] ?? '')?.[1];
      if (opening !== undefined) open = { line: index + 1, language, info, comment, content: [] };
    } else if (line === '```') {
      fences.push({ ...open, content: `${open.content.join('\n')}\n` });
      open = undefined;
    } else {
      open.content.push(line);
    }
  }
  if (open !== undefined) throw new Error(`the block of line ${open.line} has no end`);
  return fences;
}

/**
 * Whether a command printed what the page shows. In the page `<word>` stands for any text without spaces, `...` for any text in
 * a line, and a line of `...` alone for any number of lines. Runs of blanks count as one: tables are as wide as their content.
 */
export function matches(expected: string, printed: string): boolean {
  return new RegExp(patternOf(expected)).test(printed);
}

/** The source of a regular expression for what a page shows. */
export function patternOf(expected: string): string {
  const lines = expected
    .trimEnd()
    .split('\n')
    .map((line) =>
      line === '...'
        ? '(?:.*\\n)*?'
        : `${line
            .replace(/[.*+?^${}()|[\]\\]/g, '\\$&')
            .replace(/<[a-z][a-z -]*>/g, '\\S+')
            .replace(/\\\.\\\.\\\./g, '.*')
            .replace(/ +/g, ' +')} *(?:\\n|$)`,
    );
  return `^${lines.join('')}\\s*$`;
}
