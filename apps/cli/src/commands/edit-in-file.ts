import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Failure } from '../failure.ts';
import type { CommandContext } from './command-context.ts';

/** A document that the user edits in a file. */
interface EditedDocument {
  /** For messages, e.g. `widget/w1`. */
  readonly label: string;
  readonly name: string;
  readonly revision: number;
  /** The stored document as YAML. */
  readonly original: string;
  /** Sends the edited YAML. A failure `invalid` opens the editor again. */
  send(content: string): Promise<void>;
  /** The edited YAML as a file that other commands can read. */
  kept(content: string): string;
  /** The command that goes on with the kept file. */
  hint(file: string): string;
}

/** Opens the document in the editor until it is sent or the user cancels. When that fails, the changes are kept in the file. */
export async function editInFile(ctx: CommandContext, document: EditedDocument): Promise<void> {
  const { original } = document;
  const directory = mkdtempSync(join(tmpdir(), 'platform-edit-'));
  const file = join(directory, `${document.name}.yaml`);
  const run = { content: original };
  try {
    await editUntilSent(ctx, document, file, run);
  } catch (error) {
    const { exit, message, hint, details } = ctx.failureOf(error);
    if (run.content !== original) {
      writeFileSync(file, document.kept(run.content), { mode: 0o600 });
      const kept = `your changes are kept in ${file}; compare with: ${document.hint(file)}`;
      throw new Failure(exit, message, kept, details);
    }
    rmSync(directory, { recursive: true });
    throw new Failure(exit, message, hint, details);
  }
  rmSync(directory, { recursive: true });
}

/** `run.content` is always what the user saved last. */
async function editUntilSent(
  ctx: CommandContext,
  { label, revision, original, send }: EditedDocument,
  file: string,
  run: { content: string },
): Promise<void> {
  let notes = [`${label}, revision ${revision}. Save an empty or unchanged file to cancel.`];
  for (;;) {
    writeFileSync(file, comment(notes) + run.content, { mode: 0o600 });
    await openEditor(ctx, file);
    const edited = readFileSync(file, 'utf8').replace(/^(#.*\n)+/, '');
    if (edited.trim() === '' || edited === original) {
      run.content = original;
      ctx.out(`${label} unchanged\n`);
      return;
    }
    // Saved without a change after an error: the user cancels.
    if (edited === run.content) throw new Failure('invalid', `${label}: ${notes[0]}`);
    run.content = edited;
    try {
      return await send(edited);
    } catch (error) {
      const failure = ctx.failureOf(error);
      if (failure.exit !== 'invalid') throw error;
      notes = [
        failure.message,
        ...failure.details,
        'Fix it and save. Save the file without changes to cancel.',
      ];
      ctx.err(`${failure.message}\n`);
    }
  }
}

/** Opens a file in `$VISUAL` or `$EDITOR`, and waits for its end. */
async function openEditor({ terminal }: CommandContext, file: string): Promise<void> {
  const { env } = terminal;
  // The variable may contain arguments: `code --wait`.
  const command = (env['VISUAL'] || env['EDITOR'] || 'vi').split(/\s+/);
  const code = await terminal.spawn([...command, file], env);
  if (code === 0) return;
  throw new Failure('failed', `the editor ${command[0]} exited with code ${code}`, 'set $VISUAL or $EDITOR');
}

/** Lines as comments at the top of an edited file. */
const comment = (lines: readonly string[]) => lines.map((line) => `# ${line}\n`).join('');
