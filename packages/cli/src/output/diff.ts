import { structuredPatch } from 'diff';
import type pc from 'picocolors';

/** What changes from one text to another, with three lines around it; empty when nothing does. */
export function diffOf(
  before: string,
  after: string,
  colors: Pick<ReturnType<typeof pc.createColors>, 'green' | 'red' | 'cyan'>,
): string {
  const { hunks } = structuredPatch('', '', before, after, '', '', { context: 3 });
  const paint: Readonly<Record<string, (line: string) => string>> = { '+': colors.green, '-': colors.red };
  const lines = hunks.flatMap(({ oldStart, oldLines, newStart, newLines, lines: changed }) => [
    colors.cyan(`@@ -${oldStart},${oldLines} +${newStart},${newLines} @@`),
    ...changed
      .filter((line) => !line.startsWith('\\'))
      .map((line) => (paint[line[0] ?? ''] ?? ((text: string) => text))(line)),
  ]);
  return lines.map((line) => `  ${line}\n`).join('');
}
