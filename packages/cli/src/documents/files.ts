import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { Failure } from '../failure.ts';
import { fromYaml } from '../output/yaml.ts';
import type { Terminal } from '../terminal.ts';
import { type ResourceDocument, readDocument } from './document.ts';

/**
 * Every resource in files, directories (their `.yaml`, `.yml` and `.json` files, by name; with `recursive` those below too) and
 * standard input (`-`). A `...List` counts as its items.
 */
export async function readDocuments(
  sources: readonly string[],
  { recursive, terminal }: { readonly recursive: boolean; readonly terminal: Terminal },
): Promise<ResourceDocument[]> {
  const documents: ResourceDocument[] = [];
  for (const source of sources) {
    if (source === '-') documents.push(...documentsOf(await terminal.readInput(), 'standard input'));
    else
      for (const file of filesOf(source, recursive))
        documents.push(...documentsOf(readFileSync(file, 'utf8'), file));
  }
  if (documents.length === 0) throw new Failure('usage', `there is no resource in ${sources.join(', ')}`);
  return documents;
}

function documentsOf(text: string, source: string): ResourceDocument[] {
  const values = fromYaml(text, source).flatMap((value) => itemsOf(value) ?? [value]);
  return values.map((value, index) =>
    readDocument(value, values.length === 1 ? source : `${source} (document ${index + 1})`),
  );
}

function itemsOf(value: unknown): unknown[] | undefined {
  const { kind, items } = (value ?? {}) as Record<string, unknown>;
  return typeof kind === 'string' && kind.endsWith('List') && Array.isArray(items) ? items : undefined;
}

function filesOf(source: string, recursive: boolean): string[] {
  let isDirectory: boolean;
  try {
    isDirectory = statSync(source).isDirectory();
  } catch (error) {
    throw new Failure('usage', `${source} cannot be read: ${(error as NodeJS.ErrnoException).code}`);
  }
  if (!isDirectory) return [source];
  const entries = readdirSync(source, { withFileTypes: true }).sort((a, b) => (a.name < b.name ? -1 : 1));
  return entries.flatMap((entry) => {
    const path = join(source, entry.name);
    if (entry.isDirectory()) return recursive ? filesOf(path, recursive) : [];
    return /\.(ya?ml|json)$/.test(entry.name) ? [path] : [];
  });
}
