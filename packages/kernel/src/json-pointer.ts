import type { Fault } from './problem.ts';

/** Escapes one step of a JSON pointer (RFC 6901, section 3). */
export function escapePointer(step: string): string {
  return step.replaceAll('~', '~0').replaceAll('/', '~1');
}

/** Undoes {@link escapePointer}. */
export function unescapePointer(step: string): string {
  return step.replaceAll('~1', '/').replaceAll('~0', '~');
}

/** The steps of a JSON pointer, unescaped; none for the complete document. Undoes {@link jsonPointer}. */
export function pointerSteps(pointer: string): string[] {
  return pointer.split('/').slice(1).map(unescapePointer);
}

/** The JSON pointer for `path`; empty for the complete document. */
export function jsonPointer(path: readonly PropertyKey[]): string {
  return path.map((step) => `/${escapePointer(String(step))}`).join('');
}

/** An issue that zod reports. */
interface SchemaIssue {
  readonly code?: string | undefined;
  readonly path: readonly PropertyKey[];
  readonly message: string;
  /** Only with `unrecognized_keys`. */
  readonly keys?: readonly string[];
}

/** Converts the issues of a zod error to faults with JSON pointers below `at`, with one fault for each unknown field. */
export function schemaFaults(issues: readonly SchemaIssue[], at = ''): Fault[] {
  return issues.flatMap(({ code, path, message, keys = [] }) => {
    if (code === 'unrecognized_keys') {
      return keys.map((key) => ({ path: at + jsonPointer([...path, key]), message: 'is not a known field' }));
    }
    const missing = code === 'invalid_type' && message.endsWith('received undefined');
    const place = at + jsonPointer(path);
    return [
      missing
        ? { path: place, message: 'is required', reason: 'FieldValueRequired' }
        : { path: place, message },
    ];
  });
}
