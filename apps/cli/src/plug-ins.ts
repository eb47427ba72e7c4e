import { accessSync, constants, statSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import type { Terminal } from './terminal.ts';

/**
 * The program `platform-<word>` on the PATH; undefined when there is none. Relative entries of the PATH are skipped.
 *
 * Attack: a repository contains a file `platform-get`, and somebody runs `platform get` in it with `.` on their PATH. Plug-ins never
 * replace a command, and the current directory is no place for them.
 */
export function findPlugIn(word: string, { env }: Pick<Terminal, 'env'>): string | undefined {
  if (!/^[a-z0-9][a-z0-9-]*$/.test(word)) return undefined;
  const directories = (env['PATH'] ?? '').split(delimiter).filter((one) => one.startsWith('/'));
  return directories.map((directory) => join(directory, `platform-${word}`)).find(isProgram);
}

function isProgram(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return statSync(path).isFile();
  } catch {
    return false;
  }
}
