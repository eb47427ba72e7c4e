import type { Fault } from './problem.ts';

/** One step of a JSON pointer (RFC 6901, section 3). */
export function escapePointer(step: string): string {
  return step.replaceAll('~', '~0').replaceAll('/', '~1');
}

/** The JSON pointer to what stands at `path`; empty for the whole document. */
export function jsonPointer(path: readonly PropertyKey[]): string {
  return path.map((step) => `/${escapePointer(String(step))}`).join('');
}

/** An issue as zod reports it. */
export interface SchemaIssue {
  readonly code?: string | undefined;
  readonly path: readonly PropertyKey[];
  readonly message: string;
  /** With `unrecognized_keys`. */
  readonly keys?: readonly string[];
}

/** The issues of a zod error as faults with JSON pointers below `at`; an unknown field is a fault of its own. */
export function schemaFaults(issues: readonly SchemaIssue[], at = ''): Fault[] {
  return issues.flatMap(({ code, path, message, keys = [] }) => {
    if (code === 'unrecognized_keys') {
      return keys.map((key) => ({ path: at + jsonPointer([...path, key]), message: 'is not a known field' }));
    }
    const missing = code === 'invalid_type' && message.endsWith('received undefined');
    return [{ path: at + jsonPointer(path), message: missing ? 'is required' : message }];
  });
}
