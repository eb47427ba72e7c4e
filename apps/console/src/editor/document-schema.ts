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
      spec,
    },
    // References of the schema of the spec are resolved at the root.
    ...(spec.$defs === undefined ? {} : { $defs: spec.$defs }),
  };
}
