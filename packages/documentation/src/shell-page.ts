/** One block of a page that a shell runs, and what it must print. */
export interface ShellBlock {
  /** The line of the page that it begins at. */
  readonly line: number;
  readonly script: string;
  /** What stands in the `text` block right below; undefined when there is none. */
  readonly expected: string | undefined;
}

interface Fence {
  readonly line: number;
  readonly language: string;
  readonly content: string;
}

/** The blocks marked `sh`, in order. Blocks marked otherwise (`console`, `yaml`) are for reading only. */
export function readShellBlocks(markdown: string): ShellBlock[] {
  const fences = readFences(markdown);
  return fences.flatMap((fence, index) => {
    if (fence.language !== 'sh') return [];
    const next = fences[index + 1];
    return [
      {
        line: fence.line,
        script: fence.content,
        expected: next?.language === 'text' ? next.content : undefined,
      },
    ];
  });
}

function readFences(markdown: string): Fence[] {
  const fences: Fence[] = [];
  let open: { line: number; language: string; content: string[] } | undefined;
  for (const [index, line] of markdown.split('\n').entries()) {
    if (open === undefined) {
      const language = /^```(\w+)/.exec(line)?.[1];
      if (language !== undefined) open = { line: index + 1, language, content: [] };
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
            .replace(/ +/g, ' +')} *\\n`,
    );
  return new RegExp(`^${lines.join('')}$`).test(`${printed.trimEnd()}\n`);
}
