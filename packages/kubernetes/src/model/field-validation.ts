import { Problem } from '@platform/kernel';

/** `fieldValidation` of a write: what happens to fields that the kind does not have. */
export type FieldValidation = 'Ignore' | 'Warn' | 'Strict';

/** Reads the parameter; clients that send none are warned. Throws `invalid_query`. */
export function readFieldValidation(text: string | null): FieldValidation {
  if (text === null || text === '') return 'Warn';
  if (text === 'Ignore' || text === 'Warn' || text === 'Strict') return text;
  throw new Problem('invalid_query', 'fieldValidation must be one of Ignore, Warn and Strict');
}

/** The warnings about fields. Throws `malformed_body` when they are strictly refused. */
export function checkFields(
  validation: FieldValidation,
  { unknown, duplicate }: { readonly unknown: readonly string[]; readonly duplicate: readonly string[] },
): readonly string[] {
  const faults = [
    ...unknown.map((field) => `unknown field "${shown(field)}"`),
    ...duplicate.map((field) => `duplicate field "${shown(field)}"`),
  ];
  if (faults.length === 0 || validation === 'Ignore') return [];
  if (validation === 'Strict') {
    throw new Problem('malformed_body', `strict decoding error: ${faults.join(', ')}`);
  }
  return faults;
}

/** Attack: a hundred unknown fields below a name of half a megabyte, and a refusal of fifty megabytes. */
const longest = 1_000;

function shown(field: string): string {
  return field.length > longest ? `${field.slice(0, longest)}...` : field;
}
