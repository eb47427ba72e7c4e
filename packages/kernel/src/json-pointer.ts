import { type Fault, maxFaults } from './problem.ts';

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
  /** Only with `invalid_type`. */
  readonly expected?: string;
  /** Only with `invalid_value`. */
  readonly values?: readonly unknown[];
  /** With `too_big` and `too_small`: the type of the value, and the limit. */
  readonly origin?: string;
  readonly maximum?: number | bigint;
  readonly minimum?: number | bigint;
}

/** Converts the issues of a zod error to faults with JSON pointers below `at`, with one fault for each unknown field; not all of far too many. */
export function schemaFaults(issues: readonly SchemaIssue[], at = ''): Fault[] {
  return issues.slice(0, maxFaults + 1).flatMap((issue) => {
    const { code, path, message, keys = [] } = issue;
    if (code === 'unrecognized_keys') {
      return keys
        .slice(0, maxFaults + 1)
        .map((key) => ({ path: at + jsonPointer([...path, key]), message: 'is not a known field' }));
    }
    const missing = code === 'invalid_type' && message.endsWith('received undefined');
    const place = at + jsonPointer(path);
    return [
      missing
        ? { path: place, message: 'is required', reason: 'FieldValueRequired' }
        : { path: place, message: isDefaultMessage.test(message) ? plainMessage(issue) : message },
    ];
  });
}

/** The beginning of the messages that zod writes where the schema has none. */
const isDefaultMessage = /^(?:Invalid (?:input|option): expected|Too (?:big|small): expected) /;

const types: Readonly<Record<string, string>> = {
  string: 'a string',
  number: 'a number',
  int: 'an integer',
  boolean: 'true or false',
  array: 'an array',
  object: 'an object',
  record: 'an object',
};

/** The requirement on a value, in the words of the other messages. */
function plainMessage(issue: SchemaIssue): string {
  const { code, message, expected = '', values = [], origin = '', maximum, minimum } = issue;
  if (code === 'invalid_type' && Object.hasOwn(types, expected)) return `must be ${types[expected]}`;
  if (code === 'invalid_value' && values.length > 0) return `must be ${values.map(String).join(' or ')}`;
  const unit = { string: ' characters', array: ' entries' }[origin];
  const [has, of] = unit === undefined ? ['be', ''] : ['have', unit];
  if (code === 'too_big' && message.includes('<=')) return `must ${has} at most ${maximum}${of}`;
  if (code === 'too_small' && message.includes('>=')) return `must ${has} at least ${minimum}${of}`;
  return message;
}
