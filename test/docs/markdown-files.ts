import { readdirSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';

/** The root of the repository. */
export const root = fileURLToPath(new URL('../../', import.meta.url));

const skipped = new Set(['node_modules', 'dist', '.git', '.platform', 'coverage', 'bundle']);

/** Every Markdown file of the repository, as a path from its root with `/`, in order. */
export function markdownFiles(directory = root): string[] {
  return readdirSync(directory, { withFileTypes: true })
    .flatMap((entry) => {
      if (entry.isDirectory()) {
        return skipped.has(entry.name) ? [] : markdownFiles(join(directory, entry.name));
      }
      const path = relative(root, join(directory, entry.name)).replaceAll('\\', '/');
      return path.endsWith('.md') ? [path] : [];
    })
    .sort();
}

/** The text of a file of the repository. */
export function textOf(path: string): string {
  return readFileSync(join(root, path), 'utf8');
}

/** Every file and directory of the repository, as a path from its root with `/`; directories with one at their end too. */
export function repositoryPaths(directory = ''): string[] {
  return readdirSync(join(root, directory), { withFileTypes: true }).flatMap((entry) => {
    if (skipped.has(entry.name)) return [];
    const path = `${directory}${entry.name}`;
    return entry.isDirectory() ? [path, `${path}/`, ...repositoryPaths(`${path}/`)] : [path];
  });
}
