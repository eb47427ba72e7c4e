import { structuredPatch } from 'diff';
import type pc from 'picocolors';
import { toYaml } from './yaml.ts';

/** The differences between two values as YAML, with three lines of context. Empty when they are equal. */
export function yamlDiff(
  before: unknown,
  after: unknown,
  colors: Pick<ReturnType<typeof pc.createColors>, 'green' | 'red' | 'cyan'>,
): string {
  const { hunks } = structuredPatch('', '', toYaml(before), toYaml(after), '', '', { context: 3 });
  const paint: Readonly<Record<string, (line: string) => string>> = { '+': colors.green, '-': colors.red };
  const lines = hunks.flatMap(({ oldStart, oldLines, newStart, newLines, lines: changed }) => [
    colors.cyan(`@@ -${oldStart},${oldLines} +${newStart},${newLines} @@`),
    ...changed
      .filter((line) => !line.startsWith('\\'))
      .map((line) => (paint[line[0] ?? ''] ?? ((text: string) => text))(line)),
  ]);
  return lines.map((line) => `  ${line}\n`).join('');
}
