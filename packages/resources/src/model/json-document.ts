import { Problem } from '@platform/kernel';
import { scanJson } from './json-scan.ts';
import type { JsonText } from './resource.ts';

/** The deepest nesting of a document inside the envelope, including its own braces. */
export const maxNesting = 64;

/** A request body: its value for validation, its text for storing parts of it unchanged. */
export interface JsonDocument {
  readonly value: unknown;
  /** The raw text at a JSON pointer of one step, below `/metadata`, or into a definition's versions; undefined when nothing is there. */
  raw(pointer: string): JsonText | undefined;
}

/** How to read a body that is not one document with unique keys. */
export interface DocumentOptions {
  /** How many levels deep the documents in it begin. */
  readonly levelsAbove?: number;
  /** Whether an object may have a key twice; then the last one counts. */
  readonly duplicateKeys?: boolean;
}

/**
 * Parses a body. `JSON.parse` checks the syntax. A second pass refuses documents that it accepts and that PostgreSQL cannot store or
 * that two parsers could read differently: duplicate keys, NUL, lone surrogates, deep nesting.
 * Throws `malformed_body`.
 */
export function parseDocument(
  text: string,
  { levelsAbove = 1, duplicateKeys = false }: DocumentOptions = {},
): JsonDocument {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    const position = /position (\d+)/.exec(error instanceof Error ? error.message : '')?.[1];
    const where = position === undefined ? '' : ` (at character ${position})`;
    throw new Problem('malformed_body', `The body is not valid JSON${where}.`);
  }
  const { fault, slices } = scanJson(text, { maxDepth: maxNesting + levelsAbove, duplicateKeys });
  if (fault !== null) throw new Problem('malformed_body', `The body is not acceptable: ${fault}.`);
  return {
    value,
    raw(pointer) {
      const slice = slices.get(pointer);
      return slice === undefined ? undefined : text.slice(slice[0], slice[1]);
    },
  };
}

/** The raw text of the schema of each version in the `spec` text of a definition; null where there is none. */
export function schemaTexts(spec: JsonText, versions: number): readonly (JsonText | null)[] {
  const { slices } = scanJson(spec, { maxDepth: maxNesting });
  return Array.from({ length: versions }, (_, index) => {
    const [start, end] = slices.get(`/versions/${index}/schema`) ?? [0, 0];
    const text = spec.slice(start, end);
    return text === '' || text === 'null' ? null : text;
  });
}
