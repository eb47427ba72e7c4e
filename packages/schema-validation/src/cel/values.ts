import { Environment } from '@marcbachmann/cel-js';
import { canonical, isObject, type Json, type JsonObject } from '../json.ts';

/** Words of CEL that fields are renamed for in rules, as Kubernetes does. */
const reserved = new Set(
  'true false null in as break const continue else for function if import let loop package namespace return var void while'.split(
    ' ',
  ),
);

/** The value as rules see it, by its schema: integers, doubles, times, objects with their declared fields, and maps. */
export function toCel(value: Json, schema: Json | undefined): unknown {
  const known = isObject(schema) ? schema : {};
  if (typeof value === 'number') return toNumber(value, known);
  if (typeof value === 'string') return toText(value, known);
  if (Array.isArray(value)) return value.map((item) => toCel(item, known['items']));
  return isObject(value) ? toMap(value, known) : value;
}

function toNumber(value: number, { type }: JsonObject): unknown {
  const isDouble = type === 'number' || (Array.isArray(type) && type.includes('number'));
  return Number.isInteger(value) && !isDouble ? BigInt(value) : value;
}

function toText(value: string, schema: JsonObject): unknown {
  const format = schema['x-kubernetes-format'] ?? schema['format'];
  if (format === 'date-time' || format === 'date') {
    const time = new Date(value);
    return Number.isNaN(time.getTime()) ? value : time;
  }
  if (format === 'duration' && goDuration.test(value))
    return builtIns.evaluate('duration(text)', { text: value });
  return format === 'byte' ? Uint8Array.from(Buffer.from(value, 'base64')) : value;
}

const goDuration = /^-?(?:(?:\d+(?:\.\d*)?|\.\d+)(?:ns|us|µs|ms|s|m|h))+$/;

const builtIns = new Environment({ enableOptionalTypes: true })
  .registerVariable('text', 'string')
  .registerVariable('value', 'dyn');

/** `oldSelf` of a rule that also runs on creates. */
export function optional(value: unknown): unknown {
  return value === undefined
    ? builtIns.evaluate('optional.none()')
    : builtIns.evaluate('optional.of(value)', { value });
}

function toMap(value: JsonObject, schema: JsonObject): Map<string, unknown> {
  const { properties, additionalProperties } = schema;
  const isDeclared = (name: string) => isObject(properties) && Object.hasOwn(properties, name);
  return new Map(
    Object.entries(value).map(([name, member]) => {
      const part = isDeclared(name) ? (properties as JsonObject)[name] : additionalProperties;
      return [isDeclared(name) ? escaped(name) : name, toCel(member, part)];
    }),
  );
}

/** The name of a declared field in rules: `a-b` is `a__dash__b`, `namespace` is `__namespace__`. */
export function escaped(name: string): string {
  if (reserved.has(name)) return `__${name}__`;
  return name
    .replaceAll('__', '__underscores__')
    .replaceAll('.', '__dot__')
    .replaceAll('-', '__dash__')
    .replaceAll('/', '__slash__');
}

/**
 * Finds the item of a list before the write that has the keys of an item. Only lists of type map have items with an identity.
 *
 * Each item is keyed once: with a comparison of every two, a list of a thousand items reached the deadline of the validation.
 */
export function correlation(schema: JsonObject, before: Json | undefined): (item: Json) => Json | undefined {
  const keys = schema['x-kubernetes-list-map-keys'];
  if (schema['x-kubernetes-list-type'] !== 'map' || !Array.isArray(keys) || !Array.isArray(before))
    return () => undefined;
  const identity = (one: Json) =>
    canonical(
      keys.map((key) => (isObject(one) && Object.hasOwn(one, String(key)) ? one[String(key)] : null)),
    );
  // The first of two items with the same keys counts.
  const items = new Map(before.toReversed().map((item) => [identity(item), item]));
  return (item) => items.get(identity(item));
}
