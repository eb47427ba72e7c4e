import { readFences } from './shell-page.ts';

/** A link of a page. */
export interface Link {
  readonly line: number;
  readonly target: string;
}

/** The links and images of a page, outside of code. */
export function readLinks(markdown: string): Link[] {
  return withoutCode(markdown)
    .split('\n')
    .flatMap((text, index) =>
      [...text.matchAll(/\]\(([^)\s]+)\)/g)].map(([, target = '']) => ({ line: index + 1, target })),
    );
}

/** The anchors that GitHub gives the headings of a page. */
export function readAnchors(markdown: string): Set<string> {
  const seen = new Map<string, number>();
  const headings = [...blank(markdown).matchAll(/^#{1,6} (.+)$/gm)].map(([, heading = '']) =>
    anchorOf(heading),
  );
  return new Set(
    headings.map((anchor) => {
      const before = seen.get(anchor) ?? 0;
      seen.set(anchor, before + 1);
      return before === 0 ? anchor : `${anchor}-${before}`;
    }),
  );
}

function anchorOf(heading: string): string {
  return heading
    .replace(/\[([^\]]+)\]\([^)]+\)/g, '$1')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}\s_-]/gu, '')
    .trim()
    .replace(/\s/g, '-');
}

function withoutCode(markdown: string): string {
  return blank(markdown).replace(/`[^`\n]*`/g, '');
}

/** The same with its fenced blocks empty, so that lines keep their numbers. */
function blank(markdown: string): string {
  const lines = markdown.split('\n');
  for (const { line, content } of readFences(markdown)) {
    lines.fill('', line - 1, line + content.split('\n').length);
  }
  return lines.join('\n');
}
