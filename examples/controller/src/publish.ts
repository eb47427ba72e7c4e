import { mkdir, rename, rm, rmdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';

/** Writes a page atomically to the directory of the web server. */
export async function publish(
  path: string,
  title: string,
  paragraphs: readonly string[] = [],
): Promise<void> {
  const lines = [`<h1>${escaped(title)}</h1>`, ...paragraphs.map((text) => `<p>${escaped(text)}</p>`)];
  await mkdir(dirname(path), { recursive: true });
  await writeFile(`${path}.new`, `${lines.join('\n')}\n`);
  await rename(`${path}.new`, path);
}

/** Takes a page offline. */
export async function withdraw(path: string): Promise<void> {
  await rm(path, { force: true });
}

/** Takes a directory with a title page offline. Returns false while it contains other files. */
export async function withdrawDirectory(path: string): Promise<boolean> {
  await withdraw(join(path, 'index.html'));
  try {
    await rmdir(path);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'ENOTEMPTY') return false;
    if (code !== 'ENOENT') throw error;
  }
  return true;
}

function escaped(text: string): string {
  return text.replace(/[&<>]/g, (character) => `&#${character.charCodeAt(0)};`);
}
