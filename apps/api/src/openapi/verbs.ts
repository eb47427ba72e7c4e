import type { ProblemCode } from '@platform/kernel';
import { jsonBody } from '../endpoint/body.ts';
import {
  type BodyDocs,
  type EndpointDocs,
  type Parameter,
  ref,
  type Schema,
} from '../endpoint/documentation.ts';
import { examplesOf } from './examples.ts';

/** Where a verb of the generic resource API is, and what is particular to it there. */
interface Place {
  readonly id: string;
  readonly path: string;
  readonly tag: string;
  /** The kind, in words. */
  readonly kind: string;
  readonly credential: 'caller';
}

/** What it responses: a schema of `components`, and an example where that has none. */
interface Answered {
  readonly schema: Schema;
  readonly example?: object;
}
type ReadPlace = Place & Answered & { readonly parameters?: readonly Parameter[] };
type WritePlace = Place & Answered & { readonly body: BodyDocs };

const addressing: readonly ProblemCode[] = [
  'malformed_path',
  'unknown_collection',
  'not_found',
  'invalid_query',
];
const writing: readonly ProblemCode[] = [
  ...addressing,
  'schema_violation',
  'owner_reference_invalid',
  'owner_reference_cycle',
  'finalizer_reserved',
  'definition_terminating',
  'definition_conflict',
  'storage_version_required',
  'contention',
];

/** `?limit=` and `?continue=`, as everywhere. */
export const page: readonly Parameter[] = [
  {
    name: 'limit',
    in: 'query',
    description: 'How many at most.',
    schema: { type: 'integer', minimum: 1, maximum: 1000, default: 500 },
    example: 100,
  },
  {
    name: 'continue',
    in: 'query',
    description: 'The token of the page before.',
    schema: { type: 'string' },
  },
];
const etag = { ETag: 'The uid and the revision, in quotes.' };
const ifMatch: Parameter = {
  name: 'If-Match',
  in: 'header',
  description:
    'The `ETag`, or the revision in quotes, that the resource must have; several with commas, or `*`.',
  schema: { type: 'string' },
};
const slot: Parameter = {
  name: 'slot',
  in: 'query',
  description: 'Operators only: the slot to write instead of their own; with `status: null` it is cleared.',
  schema: { type: 'string' },
};

/** The members of an endpoint that its place gives. */
function at({ id, path, tag, credential }: Place): Pick<EndpointDocs, 'id' | 'path' | 'tag' | 'credential'> {
  return { id, path, tag, credential };
}

function shown(example: object | undefined): { readonly example?: object } {
  return example === undefined ? {} : { example };
}

/** GET of a collection. */
export function list({ schema, example, parameters = page, ...place }: ReadPlace): EndpointDocs {
  return {
    ...at(place),
    method: 'GET',
    summary: `List ${place.kind}`,
    parameters,
    responses: { 200: { description: 'A page, ordered by name.', schema, ...shown(example) } },
    problems: [...addressing, 'contention'],
  };
}

/** GET of an item. */
export function get({ schema, example, ...place }: ReadPlace): EndpointDocs {
  return {
    ...at(place),
    method: 'GET',
    summary: `Read ${place.kind}`,
    responses: {
      200: { description: 'The resource.', schema, ...shown(example), headers: etag },
      304: { description: 'Unchanged since the `ETag` of `If-None-Match`.' },
    },
    problems: [...addressing, 'contention'],
  };
}

/** POST to a collection. */
export function create({ schema, example, body, ...place }: WritePlace): EndpointDocs {
  return {
    ...at(place),
    method: 'POST',
    summary: `Create ${place.kind}`,
    body,
    responses: {
      201: {
        description: 'Created.',
        schema,
        ...shown(example),
        headers: { ...etag, Location: 'Where the resource is.' },
      },
    },
    problems: [...writing, 'already_exists', 'parent_terminating', 'discriminator_exhausted'],
  };
}

/** PUT of an item. */
export function replace({ schema, example, body, ...place }: WritePlace): EndpointDocs {
  return {
    ...at(place),
    method: 'PUT',
    summary: `Replace ${place.kind}`,
    description:
      'Replaces `spec`, `annotations`, `finalizers` and `ownerReferences`, when `metadata.revision` is the stored one.',
    parameters: [ifMatch],
    body,
    responses: { 200: { description: 'As it is stored now.', schema, ...shown(example), headers: etag } },
    problems: [
      ...writing,
      'precondition_failed',
      'revision_required',
      'revision_conflict',
      'definition_immutable',
      'definition_in_use',
      'version_in_use',
      'definition_missing',
    ],
  };
}

/** DELETE of an item. */
export function remove(place: Place): EndpointDocs {
  return {
    ...at(place),
    method: 'DELETE',
    summary: `Delete ${place.kind}`,
    description: 'Always cascades to children and to dependents by owner reference.',
    parameters: [ifMatch],
    responses: {
      200: { description: 'It is gone.', schema: ref('ResourceDeleted') },
      202: {
        description: 'Something still holds it; it is deleted as soon as nothing does.',
        schema: ref('ResourceMarkedForDeletion'),
      },
    },
    problems: [
      ...addressing,
      'precondition_failed',
      'definition_in_use',
      'organization_in_use',
      'contention',
    ],
  };
}

/** PUT of the status subresource. */
export function putStatus({ schema, example, ...place }: ReadPlace): EndpointDocs {
  return {
    ...at(place),
    method: 'PUT',
    summary: `Write a status slot of ${place.kind}`,
    description:
      'The value is kept under `status.controllers[<writer>]`; other slots stay. Open to controllers.',
    parameters: [slot, ifMatch],
    body: jsonBody(ref('StatusWrite'), examplesOf('status')),
    responses: { 200: { description: 'As it is stored now.', schema, ...shown(example), headers: etag } },
    problems: [...addressing, 'precondition_failed', 'contention'],
  };
}

/** PUT of the finalizers subresource. */
export function putFinalizers({ schema, example, ...place }: ReadPlace): EndpointDocs {
  return {
    ...at(place),
    method: 'PUT',
    summary: `Add and remove finalizers of ${place.kind}`,
    description: 'In one transaction, without a revision. Open to controllers, for finalizers of their own.',
    parameters: [ifMatch],
    body: jsonBody(ref('FinalizersWrite'), examplesOf('finalizers')),
    responses: { 200: { description: 'As it is stored now.', schema, ...shown(example), headers: etag } },
    problems: [
      ...addressing,
      'precondition_failed',
      'finalizer_reserved',
      'finalizer_not_owned',
      'contention',
    ],
  };
}

/** GET of the deletion blockers. */
export function getBlockers(place: Place): EndpointDocs {
  return {
    ...at(place),
    method: 'GET',
    summary: `Explain what keeps ${place.kind} from being deleted`,
    responses: {
      200: { description: 'What blocks it, from one snapshot.', schema: ref('DeletionBlockers') },
    },
    problems: [...addressing, 'contention'],
  };
}
