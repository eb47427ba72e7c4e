import type { AccessVerb } from '@platform/access';
import type { ProblemCode } from '@platform/kernel';
import type { AnsweredResource, Caller, ResolvedTarget, Transaction } from '@platform/resources';
import { z } from 'zod';
import type { Answer } from '../../endpoint/answer.ts';
import type { BodyDocs, EndpointDocs, Method, Parameter, Schema } from '../../endpoint/documentation.ts';
import { queryParameters } from '../../endpoint/query.ts';
import type { ResourceCall } from './call.ts';

/** The resource in the answers of an operation: its schema, and an example where the schema has none. */
export interface Shown {
  readonly schema: Schema;
  readonly example?: object;
}

/** One operation of the generic API, at every path that has its form: how it is documented, and what it does. */
export interface ResourceOperation<T extends ResolvedTarget = ResolvedTarget> {
  readonly form: T['form'];
  readonly method: Method;
  /** The verb of the operation in rules of roles. */
  readonly verb: AccessVerb | ((call: ResourceCall) => AccessVerb);
  /**
   * Whether its statements find rows by the reference of the target and by nothing else, so that they compare its guard. Otherwise the
   * access of callers with bindings is checked by a statement of its own before it runs.
   */
  readonly comparesGuard?: true | ((call: ResourceCall, target: T) => boolean);
  /** With the kind in words, e.g. `a resource`. */
  readonly summary: (kind: string) => string;
  readonly description?: string;
  /** Other query parameters are 400 `invalid_query`. */
  readonly query?: z.ZodObject;
  readonly requestHeaders?: readonly Parameter[];
  /** The method of the call that reads the body; absent without a body. */
  readonly reads?: 'body' | 'patch';
  /** Throws unless the caller may have an answer that was kept, where the target alone does not decide that. */
  readonly authorizeRepeat?: (caller: Caller, body: string, transaction: Transaction) => Promise<void>;
  /** Whether the body asks for a dry run. */
  readonly asksForDryRun?: (call: ResourceCall) => Promise<boolean>;
  /** Absent where it depends on the kind. */
  readonly body?: BodyDocs;
  readonly responses: (shown: Shown) => EndpointDocs['responses'];
  readonly problems: readonly ProblemCode[];
  /** It may run again for the same request, so it returns its answer instead of sending it. */
  run(call: ResourceCall, target: T): Promise<Answer>;
}

/** A resource in an answer that was kept, as far as it identifies it. */
export interface AnsweredEnvelope {
  readonly apiVersion: string;
  readonly kind: string;
  readonly metadata: { readonly uid: string };
}

/** The resource that an envelope in a kept answer shows. */
export function answeredResource({ apiVersion, kind, metadata }: AnsweredEnvelope): AnsweredResource {
  return { apiVersion, kind, uid: metadata.uid };
}

/** `?dryRun=` of writes. */
export const dryRunQuery = z.object({
  dryRun: z
    .enum(['true', 'false'], 'must be true or false')
    .optional()
    .meta({ description: 'Do everything but the commit: all checks, the same answer, nothing changed.' }),
});

/** `?fieldManager=` of writes that own what they change. */
export const managerQuery = z.object({
  fieldManager: z
    .string()
    .regex(/^[\p{L}\p{M}\p{N}\p{P}\p{S} ]{1,128}$/u, 'must have 1 to 128 printable characters')
    .optional()
    .meta({
      description:
        'Names the writer in `metadata.managedFields`; required for a server-side apply. By default the first word of `User-Agent`.',
    }),
});

/** The query parameters of an operation. */
export function queryOf({
  method,
  query,
}: Pick<ResourceOperation, 'method' | 'query'>): z.ZodObject | undefined {
  if (method === 'GET') return query;
  return z.object({ ...query?.shape, ...dryRunQuery.shape });
}

/** A path in the document where an operation is. */
export interface Place extends Partial<Shown> {
  readonly id: string;
  readonly path: string;
  readonly tag: string;
  /** The kind, in words. */
  readonly kind: string;
  readonly body?: BodyDocs;
}

/** The documentation of an operation at a path. */
export function documentedAt(
  operation: Omit<ResourceOperation, 'comparesGuard' | 'run' | 'form' | 'verb'>,
  place: Place,
): EndpointDocs {
  const { method, summary, description, requestHeaders = [], responses, problems } = operation;
  const query = queryOf(operation);
  const { id, path, tag, kind, schema = {}, example } = place;
  const body = operation.body ?? place.body;
  return {
    method,
    id,
    path,
    tag,
    credential: 'caller',
    summary: summary(kind),
    ...(description === undefined ? {} : { description }),
    parameters: [...(query === undefined ? [] : queryParameters(query)), ...requestHeaders],
    ...(body === undefined ? {} : { body }),
    responses: responses(example === undefined ? { schema } : { schema, example }),
    problems,
  };
}

/** Problems of every operation: of its path and its query. */
export const addressing: readonly ProblemCode[] = [
  'malformed_path',
  'unknown_collection',
  'not_found',
  'invalid_query',
];
