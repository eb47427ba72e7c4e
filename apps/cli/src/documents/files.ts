import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { Failure } from '../failure.ts';
import { failureOf } from '../failure-of.ts';
import { fromYaml } from '../output/yaml.ts';
import type { Terminal } from '../terminal.ts';
import { readAnyDocument } from '../typed/typed-document.ts';
import type { ResourceDocument } from './document.ts';

/**
 * Reads the resources in files, directories (`.yaml`, `.yml` and `.json` files, sorted by name; subdirectories if `recursive`) and
 * standard input (`-`). A `...List` is replaced by its items. Throws one Failure that lists every invalid document.
 */
export async function readDocuments(
  sources: readonly string[],
  { recursive, terminal }: { readonly recursive: boolean; readonly terminal: Terminal },
): Promise<ResourceDocument[]> {
  const documents: ResourceDocument[] = [];
  const failures: Failure[] = [];
  const read = (text: string, source: string) => {
    try {
      documents.push(...documentsOf(text, source, failures));
    } catch (error) {
      failures.push(failureOf(error));
    }
  };
  for (const source of sources) {
    if (source === '-') read(await terminal.readInput(), 'standard input');
    else for (const file of filesOf(source, recursive)) read(readFileSync(file, 'utf8'), file);
  }
  const [first, ...more] = failures;
  if (first !== undefined) {
    const others = more.map(({ message }) => message);
    throw new Failure(first.exit, first.message, 'nothing was applied', others);
  }
  const names = sources.map((source) => (source === '-' ? 'standard input' : source));
  if (documents.length === 0) throw new Failure('usage', `no resources found in ${names.join(', ')}`);
  return documents;
}

/** The resources of one file. Invalid documents are added to `failures`, so that all of them are reported at once. */
function documentsOf(text: string, source: string, failures: Failure[]): ResourceDocument[] {
  const values = fromYaml(text, source).flatMap((value) => itemsOf(value) ?? [value]);
  return values.flatMap((value, index) => {
    try {
      return [readAnyDocument(value, values.length === 1 ? source : `${source} (document ${index + 1})`)];
    } catch (error) {
      failures.push(failureOf(error));
      return [];
    }
  });
}

function itemsOf(value: unknown): unknown[] | undefined {
  const { kind, items } = (value ?? {}) as Record<string, unknown>;
  return typeof kind === 'string' && kind.endsWith('List') && Array.isArray(items) ? items : undefined;
}

function filesOf(source: string, recursive: boolean): string[] {
  if (!statSync(source).isDirectory()) return [source];
  const entries = readdirSync(source, { withFileTypes: true }).sort((a, b) => (a.name < b.name ? -1 : 1));
  return entries.flatMap((entry) => {
    const path = join(source, entry.name);
    if (entry.isDirectory()) return recursive ? filesOf(path, recursive) : [];
    return /\.(ya?ml|json)$/.test(entry.name) ? [path] : [];
  });
}
