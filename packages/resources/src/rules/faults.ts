import { invalid, schemaFaults } from '@platform/kernel';
import type { z } from 'zod';

/** Validates `value`, or throws `validation_failed` with every fault; `at` is the JSON pointer of the value in the body. */
export function requireValid<S extends z.ZodType>(schema: S, value: unknown, at = ''): z.output<S> {
  const result = schema.safeParse(value);
  if (result.success) return result.data;
  throw invalid(schemaFaults(result.error.issues, at));
}
