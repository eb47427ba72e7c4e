import { Problem } from '@platform/kernel';
import { scanJson } from './json-scan.ts';
import type { JsonText } from './resource.ts';

/** The deepest nesting of a document inside the envelope, its own braces counted (contract 2.17). */
export const maxNesting = 64;

/** A request body: its value for judging it, its text for storing parts of it unchanged. */
export interface JsonDocument {
  readonly value: unknown;
  /** The raw text at a JSON pointer: of one step, below `/metadata`, or of a definition's version; undefined when there is nothing. */
  raw(pointer: string): JsonText | undefined;
}

/**
 * Reads a body. `JSON.parse` judges the syntax; one more pass finds what it lets through and PostgreSQL or a reader
 * would trip over: duplicate keys (two readers could see two documents), NUL and lone surrogates, deep nesting.
 * Throws `malformed_body`.
 */
export function parseDocument(text: string): JsonDocument {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    const position = /position (\d+)/.exec(error instanceof Error ? error.message : '')?.[1];
    const where = position === undefined ? '' : ` (at character ${position})`;
    throw new Problem('malformed_body', `The body is not valid JSON${where}.`);
  }
  const { fault, slices } = scanJson(text, maxNesting + 1);
  if (fault !== null) throw new Problem('malformed_body', `The body is not acceptable: ${fault}.`);
  return {
    value,
    raw(pointer) {
      const slice = slices.get(pointer);
      return slice === undefined ? undefined : text.slice(slice[0], slice[1]);
    },
  };
}

/** The raw text of each version's schema in the `spec` text of a definition that was read before; null where there is none. */
export function schemaTexts(spec: JsonText, versions: number): readonly (JsonText | null)[] {
  const { slices } = scanJson(spec, maxNesting);
  return Array.from({ length: versions }, (_, index) => {
    const [start, end] = slices.get(`/versions/${index}/schema`) ?? [0, 0];
    const text = spec.slice(start, end);
    return text === '' || text === 'null' ? null : text;
  });
}
