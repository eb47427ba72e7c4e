import { structuredPatch } from 'diff';
import type pc from 'picocolors';
import { toYaml } from './yaml.ts';

/** Lines that are added and removed together, at most: the time to find the shortest difference grows with their square. */
const maxChanges = 3_000;

/** The differences between two values as YAML, with three lines of context. Empty when they are equal; one line when there are too many. */
export function yamlDiff(
  before: unknown,
  after: unknown,
  colors: Pick<ReturnType<typeof pc.createColors>, 'green' | 'red' | 'cyan'>,
): string {
  const options = { context: 3, maxEditLength: maxChanges };
  const found = structuredPatch('', '', toYaml(before), toYaml(after), '', '', options);
  if (found === undefined) return `  (more than ${maxChanges} changed lines)\n`;
  const { hunks } = found;
  const paint: Readonly<Record<string, (line: string) => string>> = { '+': colors.green, '-': colors.red };
  const lines = hunks.flatMap(({ oldStart, oldLines, newStart, newLines, lines: changed }) => [
    colors.cyan(`@@ -${oldStart},${oldLines} +${newStart},${newLines} @@`),
    ...changed
      .filter((line) => !line.startsWith('\\'))
      .map((line) => (paint[line[0] ?? ''] ?? ((text: string) => text))(line)),
  ]);
  return lines.map((line) => `  ${line}\n`).join('');
}
