import { Failure } from '../failure.ts';
import type { CommandContext } from './command-context.ts';

/** Opens a file in `$VISUAL` or `$EDITOR`, and waits for its end. */
export async function openEditor({ terminal }: CommandContext, file: string): Promise<void> {
  const { env } = terminal;
  // The variable may contain arguments: `code --wait`.
  const command = (env['VISUAL'] || env['EDITOR'] || 'vi').split(/\s+/);
  const code = await terminal.spawn([...command, file], env);
  if (code === 0) return;
  throw new Failure('failed', `the editor ${command[0]} exited with code ${code}`, 'set $VISUAL or $EDITOR');
}

/** Lines as comments at the top of an edited file. */
export const comment = (lines: readonly string[]) => lines.map((line) => `# ${line}\n`).join('');
