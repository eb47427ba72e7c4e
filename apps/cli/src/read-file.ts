import { readFileSync } from 'node:fs';
import type { Terminal } from './terminal.ts';

/** Reads a file, or standard input for `-`. The error of a file that cannot be read has its `path`. */
export async function readFileOrInput(file: string, terminal: Terminal): Promise<string> {
  if (file === '-') return await terminal.readInput();
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    // Node.js does not name a directory that is read as a file.
    throw Object.assign(error as NodeJS.ErrnoException, { path: file });
  }
}
