import { type Fault, invalid } from '@platform/kernel';
import type { z } from 'zod';

/** Validates `value`, or throws `validation_failed` with every fault; `at` is the JSON pointer of the value in the body. */
export function requireValid<S extends z.ZodType>(schema: S, value: unknown, at = ''): z.output<S> {
  const result = schema.safeParse(value);
  if (result.success) return result.data;
  throw invalid(toFaults(result.error, at));
}

/** The issues of a zod error as faults with JSON pointers; an unknown field is a fault of its own. */
export function toFaults(error: z.ZodError, at = ''): Fault[] {
  return error.issues.flatMap((issue) => {
    const path = at + issue.path.map((step) => `/${escapePointer(String(step))}`).join('');
    if (issue.code === 'unrecognized_keys') {
      return issue.keys.map((key) => ({
        path: `${path}/${escapePointer(key)}`,
        message: 'is not a known field',
      }));
    }
    const missing = issue.code === 'invalid_type' && issue.message.endsWith('received undefined');
    return [{ path, message: missing ? 'is required' : issue.message }];
  });
}

/** One step of a JSON pointer (RFC 6901 section 3). */
export function escapePointer(step: string): string {
  return step.replaceAll('~', '~0').replaceAll('/', '~1');
}
