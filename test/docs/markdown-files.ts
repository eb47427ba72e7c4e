import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** The root of the repository. */
export const root = fileURLToPath(new URL('../../', import.meta.url));

/** Directories that builds and other tests make and remove, perhaps meanwhile. */
const made =
  /(?:^|\/)(?:node_modules|dist|\.git|\.platform|coverage|bundle|\.temp|\.console-[^/]*)$|^apps\/api\/(?:console|downloads)$/;

/** Every Markdown file of the repository, as a path from its root with `/`, in order. */
export function markdownFiles(): string[] {
  return repositoryPaths()
    .filter((path) => path.endsWith('.md'))
    .sort();
}

/** The text of a file of the repository. */
export function textOf(path: string): string {
  return readFileSync(join(root, path), 'utf8');
}

/** Every file and directory of the repository, as a path from its root with `/`; directories with one at their end too. */
export function repositoryPaths(directory = ''): string[] {
  return readdirSync(join(root, directory), { withFileTypes: true }).flatMap((entry) => {
    const path = `${directory}${entry.name}`;
    if (made.test(path)) return [];
    return entry.isDirectory() ? [path, `${path}/`, ...repositoryPaths(`${path}/`)] : [path];
  });
}
