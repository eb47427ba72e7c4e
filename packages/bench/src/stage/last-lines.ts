import { closeSync, fstatSync, openSync, readSync } from 'node:fs';

const mostBytes = 16_384;

/** The last lines of a file, which may be long: only its end is read. Says so when there is nothing to read. */
export function lastLines(file: string, count: number): string {
  let descriptor: number;
  try {
    descriptor = openSync(file, 'r');
  } catch {
    return `(there is no ${file})`;
  }
  try {
    const { size } = fstatSync(descriptor);
    const buffer = Buffer.alloc(Math.min(size, mostBytes));
    const read = readSync(descriptor, buffer, 0, buffer.length, size - buffer.length);
    const lines = buffer.toString('utf8', 0, read).trimEnd().split('\n').slice(-count);
    return lines.join('\n') || '(nothing)';
  } finally {
    closeSync(descriptor);
  }
}
