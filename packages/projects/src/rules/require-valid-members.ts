import { type Fault, invalid, isPlainObject, schemaFaults } from '@platform/kernel';
import type { z } from 'zod';

/**
 * Validates a body, or throws `validation_failed` with every fault: those of its schema, and those that `faultsOf` finds in members that the
 * schema does not look into. `faultsOf` gets the members as they were sent. A fault that both find is named once.
 */
export function requireValidMembers<S extends z.ZodType>(
  schema: S,
  body: unknown,
  faultsOf: (sent: Readonly<Record<string, unknown>>) => readonly Fault[],
): z.output<S> {
  const parsed = schema.safeParse(body);
  const known = parsed.success ? [] : schemaFaults(parsed.error.issues);
  const found = isPlainObject(body) ? faultsOf(body) : [];
  const isKnown = (fault: Fault) =>
    known.some(({ path, message }) => path === fault.path && message === fault.message);
  const faults = [...known, ...found.filter((fault) => !isKnown(fault))];
  if (!parsed.success || faults.length > 0) throw invalid(faults);
  return parsed.data;
}
