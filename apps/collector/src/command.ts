import { explainError } from '@platform/kernel';

/** The output of a command. */
export interface CommandOutput {
  readonly stdout: { write(text: string): unknown };
  readonly stderr: { write(text: string): unknown };
}

/** Resolves with the exit code that the work resolves with. When the database fails, prints why in one line and resolves with 2. */
export async function runCommand(
  { stderr }: CommandOutput,
  work: () => Promise<number>,
  failure = '',
): Promise<number> {
  try {
    return await work();
  } catch (error) {
    stderr.write(`${failure}${explainError(error as Error)}\n`);
    return 2;
  }
}
