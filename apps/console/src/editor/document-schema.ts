import type { Kind } from '../api/kinds.ts';
import type { Schema } from './schema-help.ts';

const names: Schema = { type: 'object', additionalProperties: { type: 'string' } };

/** The schema of a whole resource around that of its spec. */
export function documentSchema(kind: Kind, version: string, spec: Schema): Schema {
  return {
    type: 'object',
    required: ['apiVersion', 'kind', 'metadata'],
    properties: {
      apiVersion: { const: `${kind.group}/${version}`, enum: [`${kind.group}/${version}`] },
      kind: { const: kind.kind, enum: [kind.kind] },
      metadata: {
        type: 'object',
        required: ['name'],
        properties: {
          name: { type: 'string', description: 'Unique among its siblings.' },
          labels: { ...names, description: 'For selecting.' },
          annotations: { ...names, description: 'For everything else.' },
          finalizers: { type: 'array', items: { type: 'string' } },
          ownerReferences: {
            type: 'array',
            items: {
              type: 'object',
              required: ['apiVersion', 'kind', 'name', 'uid'],
              properties: {
                apiVersion: { type: 'string' },
                kind: { type: 'string' },
                name: { type: 'string' },
                uid: { type: 'string' },
                blockOwnerDeletion: { type: 'boolean', description: 'The owner waits for this one.' },
              },
            },
          },
        },
      },
      spec: movedTo('/properties/spec', spec),
    },
  };
}

/** A schema with its references to itself as they are in a document that has the schema at `pointer`. */
function movedTo<T>(pointer: string, value: T): T {
  if (Array.isArray(value)) return value.map((item) => movedTo(pointer, item)) as T;
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, member]) =>
      name === '$ref' && typeof member === 'string'
        ? [name, member.replace(/^#(?=\/|$)/, `#${pointer}`)]
        : [name, movedTo(pointer, member)],
    ),
  ) as T;
}
