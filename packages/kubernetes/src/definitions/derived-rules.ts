import { type JsonObject, type JsonValue, stringOf } from '@platform/resources';
import { isTrue, jsonValueOf, objectOf } from './values.ts';

/** Marks a subschema that was derived from a keyword of Kubernetes, so that the way back leaves it out. */
const marker = 'derived from a keyword of Kubernetes';

const int64 = (minimum: string, maximum: string): JsonObject =>
  new Map([
    ['minimum', minimum],
    ['maximum', maximum],
  ]);

/** The rules behind formats that JSON Schema does not have, or means otherwise. */
const formatRules: ReadonlyMap<string, JsonObject> = new Map([
  ['int32', int64('-2147483648', '2147483647')],
  ['int64', int64('-9223372036854775808', '9223372036854775807')],
  ['byte', jsonValueOf({ pattern: '^[A-Za-z0-9+/]*={0,2}$' }) as JsonObject],
  [
    'duration',
    // time.ParseDuration of Go, and numbers with a unit in words.
    jsonValueOf({
      pattern:
        '^(?:0|[-+]?(?:(?:\\d+(?:\\.\\d*)?|\\.\\d+)(?:ns|us|µs|μs|ms|s|m|h))+|\\d+ *(?:ns|nano|us|µs|micro|ms|milli|s|sec|second|m|min|minute|h|hr|hour|d|day|w|wk|week)s?)$',
    }) as JsonObject,
  ],
]);

const embedded = jsonValueOf({
  type: 'object',
  required: ['apiVersion', 'kind'],
  properties: {
    apiVersion: { type: 'string', minLength: 1 },
    kind: { type: 'string', minLength: 1 },
    metadata: { type: 'object' },
  },
}) as JsonObject;

/** The demands of a Kubernetes schema by its own keywords and formats, as JSON Schema. */
export function derivedRules(schema: JsonObject): readonly JsonValue[] {
  const format = stringOf(schema.get('format'));
  const rules = [format === undefined ? undefined : formatRules.get(format)];
  if (isTrue(schema.get('x-kubernetes-embedded-resource'))) rules.push(embedded);
  return rules.flatMap((rule) =>
    rule === undefined ? [] : [new Map<string, JsonValue>([['$comment', JSON.stringify(marker)], ...rule])],
  );
}

/** Whether a subschema was made by `derivedRules`. */
export function isDerived(schema: JsonValue): boolean {
  return stringOf(objectOf(schema)?.get('$comment')) === marker;
}
