import type { Fault } from '@platform/kernel';
import { isObject, type Json, type JsonObject, step } from '../json.ts';

/** A keyword that a value does not satisfy, in the words of neither engine. */
export interface Failure {
  /** JSON pointer to the value. */
  readonly path: string;
  readonly keyword: string;
  /** The schema object that holds the keyword. */
  readonly schema?: JsonObject | undefined;
  /** The member that is missing or too many, where the keyword is about one. */
  readonly member?: string | undefined;
  /** The member because of which `member` is required. */
  readonly because?: string | undefined;
  /** Whether it is the name of the member at `path` that fails, not its value. */
  readonly inName?: boolean | undefined;
}

/** A compiled schema: every failure of a value, none when it is valid. */
export type Evaluate = (value: unknown) => Iterable<Failure>;

/** The keyword of a value that the schema `false` was applied to. */
export const never = 'false schema';

/** Words for a failure from what the schema says for the keyword, and the whole schema object. */
type Describe = (expected: Json | undefined, schema: JsonObject) => string;

/**
 * What each keyword says when it fails. The applicators that are not here fail only because a keyword below
 * them does, which is reported by itself.
 */
const messages: Readonly<Record<string, Describe>> = {
  type: (types) => `must be ${(Array.isArray(types) ? types : [types]).map(typeName).join(' or ')}`,
  const: (value) => `must be ${shown(value)}`,
  enum: (values) => `must be one of ${shownList(values)}`,
  multipleOf: (divisor) => `must be a multiple of ${divisor}`,
  maximum: (bound) => `must be <= ${bound}`,
  exclusiveMaximum: (bound) => `must be < ${bound}`,
  minimum: (bound) => `must be >= ${bound}`,
  exclusiveMinimum: (bound) => `must be > ${bound}`,
  maxLength: (count) => `must have at most ${counted(count, 'character')}`,
  minLength: (count) => `must have at least ${counted(count, 'character')}`,
  pattern: (source) => `must match the pattern ${shown(source)}`,
  format: (name) => `must be a valid ${name}`,
  maxItems: (count) => `must have at most ${counted(count, 'item')}`,
  minItems: (count) => `must have at least ${counted(count, 'item')}`,
  uniqueItems: () => 'must not have two equal items',
  contains: (_, schema) => `must have ${containedItems(schema)} that match the schema in "contains"`,
  maxProperties: (count) => `must have at most ${counted(count, 'member')}`,
  minProperties: (count) => `must have at least ${counted(count, 'member')}`,
  required: () => 'is required',
  dependentRequired: () => 'is required',
  additionalProperties: () => 'is not allowed',
  unevaluatedProperties: () => 'is not allowed',
  [never]: () => 'is not allowed',
  anyOf: () => 'must match at least one of the schemas in "anyOf"',
  oneOf: () => 'must match exactly one of the schemas in "oneOf"',
  not: () => 'must not match the schema in "not"',
};

const described: ReadonlyMap<string, Describe> = new Map(Object.entries(messages));

/** The faults of a document: each once, at most `limit`, and one at least where there is a failure. */
export function toFaults(failures: Iterable<Failure>, limit: number): readonly Fault[] {
  const faults = new Map<string, Fault>();
  let failed = false;
  for (const { path: place, keyword, schema = {}, member, because, inName } of failures) {
    failed = true;
    const describe = described.get(keyword);
    if (describe === undefined) continue;
    const path = member === undefined ? place : step(place, member);
    const words = describe(schema[keyword], schema);
    const reason = because === undefined ? '' : ` because ${shown(because)} is there`;
    const message = `${inName === true ? 'has a name that ' : ''}${words}${reason}`;
    faults.set(`${path}\n${message}`, { path, message });
    if (faults.size >= limit) break;
  }
  if (failed && faults.size === 0) return [{ path: '', message: 'must match the schema' }];
  return [...faults.values()];
}

function typeName(type: Json | undefined): string {
  if (type === 'null') return 'null';
  return `${/^[aeio]/.test(String(type)) ? 'an' : 'a'} ${type}`;
}

function containedItems({ minContains, maxContains }: JsonObject): string {
  const least = `at least ${counted(minContains ?? 1, 'item')}`;
  return maxContains === undefined ? least : `${least} and at most ${maxContains}`;
}

function counted(count: Json | undefined, noun: string): string {
  return `${count} ${noun}${count === 1 ? '' : 's'}`;
}

/** Long values are cut: a fault is read by a person. */
const longest = 120;

function shown(value: Json | undefined): string {
  const text = isObject(value) || Array.isArray(value) ? JSON.stringify(value) : literal(value);
  return text.length > longest ? `${text.slice(0, longest)}…` : text;
}

function literal(value: Json | undefined): string {
  return typeof value === 'string' ? JSON.stringify(value) : String(value);
}

function shownList(values: Json | undefined): string {
  if (!Array.isArray(values) || values.length === 0) return 'no value at all';
  const list = values.slice(0, 10).map(shown).join(', ');
  return values.length > 10 ? `${list} and ${values.length - 10} more` : list;
}
