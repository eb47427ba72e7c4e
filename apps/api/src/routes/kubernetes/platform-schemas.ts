import { objectSchema } from '@platform/kubernetes';
import { type JsonObject, parseValue } from '@platform/resources';
import type { Schema } from '../../endpoint/documentation.ts';
import { builtInSpecSchemas } from '../resources/built-in-spec-schemas.ts';

/** The structural schema of a kind of the platform, from that of its spec in the resource API; null for any other kind. */
export function platformSchema(kind: string): JsonObject | null {
  const spec = builtInSpecSchemas[`${kind}Spec`];
  return spec === undefined ? null : objectSchema(parseValue(JSON.stringify(withoutNull(spec))));
}

/** A member that may be null is one that may be absent: structural schemas have no `anyOf` with a type. */
function withoutNull(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(withoutNull);
  if (typeof schema !== 'object' || schema === null) return schema;
  const { anyOf, ...rest } = schema as Schema & { readonly anyOf?: readonly Schema[] };
  const filled = anyOf?.filter(({ type }) => type !== 'null') ?? [];
  const [only] = filled;
  const whole = only !== undefined && filled.length === 1 ? { ...only, ...rest } : schema;
  return Object.fromEntries(Object.entries(whole).map(([name, part]) => [name, withoutNull(part)]));
}
