import { createBody, finalizersBody, replaceBody, restoreBody, statusBody } from '@platform/resources';
import type { Schema } from '../../endpoint/documentation.ts';
import { type Additions, fromZod } from '../../endpoint/from-zod.ts';
import { text } from '../../endpoint/schema-fields.ts';
import { batchRequest } from './batch-body.ts';

/** Annotations, as bodies and answers have them. */
export const annotations: Schema = { type: 'object', additionalProperties: { type: 'string' } };
const labels: Schema = { ...annotations, description: 'Keys and values as in Kubernetes; see docs/find.md.' };
const metadata = '/properties/metadata/properties';
const references: Additions = {
  [`${metadata}/name`]: { examples: ['my-app'] },
  [`${metadata}/annotations`]: { ...annotations, examples: [{ 'example.dev/team': 'makers' }] },
  [`${metadata}/labels`]: { ...labels, examples: [{ app: 'shop', 'example.dev/tier': 'web' }] },
  [`${metadata}/ownerReferences`]: { examples: [[]] },
  [`${metadata}/finalizers`]: {
    examples: [[]],
    maxItems: 64,
    description: 'Duplicates are stored once.',
  },
  [`${metadata}/ownerReferences/items/properties/uid`]: { format: 'uuid' },
};

const create = fromZod(createBody, references);
const replace = fromZod(replaceBody, {
  ...references,
  '/properties/metadata': {
    required: ['name', 'revision'],
    description:
      'Members that the server sets may be sent back unchanged. `labels`, `annotations`, `finalizers` and `ownerReferences` are replaced; absent ones become empty.',
  },
  [`${metadata}/revision`]: { description: 'The revision that was read; 409 when the stored one differs.' },
});

/** The bodies of writes, from the schemas that validate them. */
export const writeSchemas = {
  ResourceCreate: create,
  ResourceReplace: replace,
  Patch: {
    description: 'A JSON Merge Patch (RFC 7396) or a JSON Patch (RFC 6902), by the content type.',
    oneOf: [
      { type: 'object' },
      {
        type: 'array',
        items: {
          type: 'object',
          required: ['op', 'path'],
          properties: {
            op: { enum: ['add', 'remove', 'replace', 'move', 'copy', 'test'] },
            path: { ...text, description: 'A JSON pointer (RFC 6901).' },
            from: text,
            value: true,
          },
        },
      },
    ],
  },
  Batch: fromZod(batchRequest, {
    '/properties/operations': { maxItems: 1000 },
    '/properties/operations/items/properties/path': { description: 'The path with its query.' },
    '/properties/operations/items/properties/headers': {
      description: '`Content-Type` and `If-Match` of the operation.',
    },
  }),
  StatusWrite: fromZod(statusBody),
  FinalizersWrite: fromZod(finalizersBody),
  RestoreRequest: fromZod(restoreBody, {
    '/properties/dryRun': { description: 'As `dryRun=true` in the query.' },
    '/properties/dependents': {
      description: 'Whether to restore everything that the deletion removed with it.',
    },
    '/properties/name': { description: 'Another name for the resource itself.' },
  }),
} satisfies Readonly<Record<string, Schema>>;
