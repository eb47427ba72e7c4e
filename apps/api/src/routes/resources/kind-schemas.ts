import type { Schema } from '../../endpoint/documentation.ts';
import { list, object } from '../../endpoint/schema-fields.ts';
import { resourceSchemas } from './schemas.ts';
import { writeSchemas } from './write-schemas.ts';

/** A body for one kind: `kind` and `apiVersion` are the only ones, and `spec` is what the kind says. */
export function bodyOf(verb: 'create' | 'replace', kind: string, apiVersion: string, spec: Schema): Schema {
  const body = writeSchemas[verb === 'create' ? 'ResourceCreate' : 'ResourceReplace'];
  const properties = body['properties'] as Readonly<Record<string, Schema>>;
  return {
    ...body,
    properties: { ...properties, apiVersion: { const: apiVersion }, kind: { const: kind }, spec },
  };
}

/** A resource of one kind, as answers show it; with the status slots of the controllers that may write one. */
export function resourceOf(
  kind: string,
  apiVersion: string,
  spec: Schema,
  statusIds: readonly string[],
): Schema {
  const slots = Object.fromEntries(statusIds.map((id) => [id, statusSlot]));
  const controllers = { type: 'object', properties: slots, additionalProperties: true };
  const status =
    statusIds.length === 0 ? {} : { status: object({ controllers }, { additionalProperties: true }) };
  return narrowed('Resource', { apiVersion: { const: apiVersion }, kind: { const: kind }, spec, ...status });
}

/** A schema with some properties replaced: generators read that better than a reference with properties next to it. */
function narrowed(name: string, properties: Readonly<Record<string, Schema>>): Schema {
  const schema = resourceSchemas[name] ?? {};
  return { ...schema, properties: { ...(schema['properties'] as Schema), ...properties } };
}

/** The status slot of a controller. The controller decides its members; the ones listed here are read by tools. */
const statusSlot: Schema = {
  type: 'object',
  properties: {
    observedGeneration: { type: 'integer', format: 'int64', description: 'The generation that it is about.' },
    conditions: list({ type: 'object', additionalProperties: true }),
  },
  additionalProperties: true,
};

/** A page of one kind. */
export function listOf(kind: string, apiVersion: string, item: Schema): Schema {
  return narrowed('ResourceList', {
    apiVersion: { const: apiVersion },
    kind: { const: `${kind}List` },
    items: list(item),
  });
}
