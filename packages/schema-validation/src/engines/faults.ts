import type { Fault, FaultReason } from '@platform/kernel';
import { isObject, type Json, type JsonObject, step } from '../json.ts';

/** A keyword that a value does not satisfy, independent of the engine. */
export interface Failure {
  /** JSON pointer to the value. */
  readonly path: string;
  readonly keyword: string;
  /** The schema object that holds the keyword. */
  readonly schema?: JsonObject | undefined;
  /** The member that is missing or not allowed, if the keyword is about one. */
  readonly member?: string | undefined;
  /** The member that makes `member` required. */
  readonly because?: string | undefined;
  /** Whether the name of the member at `path` is invalid, instead of its value. */
  readonly inName?: boolean | undefined;
}

/** A compiled schema: returns every failure of a value, none if it is valid. */
export type Evaluate = (value: unknown) => Iterable<Failure>;

/** The keyword of a failure of the schema `false`. */
export const never = 'false schema';

/** Describes a failure, from the value of the keyword and the schema object that holds it. */
type Describe = (expected: Json | undefined, schema: JsonObject) => string;

/**
 * The message of each keyword. Applicators that are missing here fail only because a nested keyword fails, which has its own message.
 */
const messages: Readonly<Record<string, Describe>> = {
  type: (types) => `must be ${(Array.isArray(types) ? types : [types]).map(typeName).join(' or ')}`,
  const: (value) => `must be ${formatValue(value)}`,
  enum: (values) => `must be one of ${formatList(values)}`,
  multipleOf: (divisor) => `must be a multiple of ${divisor}`,
  maximum: (bound) => `must be <= ${bound}`,
  exclusiveMaximum: (bound) => `must be < ${bound}`,
  minimum: (bound) => `must be >= ${bound}`,
  exclusiveMinimum: (bound) => `must be > ${bound}`,
  maxLength: (count) => `must have at most ${formatCount(count, 'character')}`,
  minLength: (count) => `must have at least ${formatCount(count, 'character')}`,
  pattern: (source) => `must match the pattern ${formatValue(source)}`,
  format: (name) => `must be a valid ${name}`,
  maxItems: (count) => `must have at most ${formatCount(count, 'item')}`,
  minItems: (count) => `must have at least ${formatCount(count, 'item')}`,
  uniqueItems: () => 'must not have two equal items',
  contains: (_, schema) => `must have ${containedItems(schema)} that match the schema in "contains"`,
  maxProperties: (count) => `must have at most ${formatCount(count, 'member')}`,
  minProperties: (count) => `must have at least ${formatCount(count, 'member')}`,
  required: () => 'is required',
  dependentRequired: () => 'is required',
  additionalProperties: () => 'is not allowed',
  unevaluatedProperties: () => 'is not allowed',
  [never]: () => 'is not allowed',
  anyOf: () => 'must match at least one of the schemas in "anyOf"',
  oneOf: () => 'must match exactly one of the schemas in "oneOf"',
  not: () => 'must not match the schema in "not"',
};

/** The reasons of keywords, as the API server of Kubernetes gives them; every other keyword makes a value invalid. */
const reasons: ReadonlyMap<string, FaultReason> = new Map([
  ['type', 'FieldValueTypeInvalid'],
  ['enum', 'FieldValueNotSupported'],
  ['uniqueItems', 'FieldValueDuplicate'],
  ['required', 'FieldValueRequired'],
  ['dependentRequired', 'FieldValueRequired'],
]);

const described: ReadonlyMap<string, Describe> = new Map(Object.entries(messages));

/** Characters of the faults of one document, at most. Attack: a name of half a megabyte, which is in the path of every value below it. */
const maxText = 1024 * 1024;

/** The distinct faults of a document, at most `limit`, and at least one if there is any failure. */
export function toFaults(failures: Iterable<Failure>, limit: number): readonly Fault[] {
  const faults = new Map<string, Fault>();
  let failed = false;
  let room = maxText;
  for (const { path: valuePath, keyword, schema = {}, member, because, inName } of failures) {
    failed = true;
    const describe = described.get(keyword);
    if (describe === undefined) continue;
    const path = member === undefined ? valuePath : step(valuePath, member);
    const text = describe(schema[keyword], schema);
    const condition = because === undefined ? '' : ` because ${formatValue(because)} is there`;
    const message = `${inName === true ? 'has a name that ' : ''}${text}${condition}`;
    const reason = inName === true ? undefined : reasons.get(keyword);
    faults.set(`${path}\n${message}`, { path, message, ...(reason === undefined ? {} : { reason }) });
    room -= path.length + message.length;
    if (faults.size >= limit || room < 0) break;
  }
  if (failed && faults.size === 0) return [{ path: '', message: 'must match the schema' }];
  return [...faults.values()];
}

function typeName(type: Json | undefined): string {
  if (type === 'null') return 'null';
  return `${/^[aeio]/.test(String(type)) ? 'an' : 'a'} ${type}`;
}

function containedItems({ minContains, maxContains }: JsonObject): string {
  const least = `at least ${formatCount(minContains ?? 1, 'item')}`;
  return maxContains === undefined ? least : `${least} and at most ${maxContains}`;
}

function formatCount(count: Json | undefined, noun: string): string {
  return `${count} ${noun}${count === 1 ? '' : 's'}`;
}

/** Longer values are truncated in messages. */
const maxShownLength = 120;

function formatValue(value: Json | undefined): string {
  const text = isObject(value) || Array.isArray(value) ? JSON.stringify(value) : literal(value);
  return text.length > maxShownLength ? `${text.slice(0, maxShownLength)}…` : text;
}

function literal(value: Json | undefined): string {
  return typeof value === 'string' ? JSON.stringify(value) : String(value);
}

function formatList(values: Json | undefined): string {
  if (!Array.isArray(values) || values.length === 0) return 'no value at all';
  const list = values.slice(0, 10).map(formatValue).join(', ');
  return values.length > 10 ? `${list} and ${values.length - 10} more` : list;
}
