import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/**
 * Makes a directory hold exactly these files, in their order. Each file is replaced at once and only when it differs, so that others can use
 * the directory during a build: the command line of this checkout, and a service that serves downloads.
 */
export function replaceFiles(directory, files) {
  mkdirSync(directory, { recursive: true });
  for (const { name, bytes } of files) {
    const path = join(directory, name);
    if (existsSync(path) && readFileSync(path).equals(bytes)) continue;
    const written = `${path}.${process.pid}`;
    writeFileSync(written, bytes);
    renameSync(written, path);
  }
  const names = new Set(files.map(({ name }) => name));
  for (const name of readdirSync(directory)) {
    // A name that ends in a number is a file that another build is writing.
    if (!names.has(name) && !/\.\d+$/.test(name))
      rmSync(join(directory, name), { recursive: true, force: true });
  }
}
