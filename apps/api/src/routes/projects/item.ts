import { etagOf, Problem, type ProblemCode } from '@platform/kernel';
import type { PageQuery, ProjectPorts, Rendered, Sent } from '@platform/projects';
import { listLimit, parseContinue, parseLimit } from '@platform/resources';
import { z } from 'zod';
import { type Answer, type Headers, json } from '../../endpoint/answer.ts';
import type { Parameter } from '../../endpoint/documentation.ts';

/** The dependencies of the endpoints of typed resources. */
export interface TypedDeps {
  readonly ports: ProjectPorts;
}

/** The common part of all endpoints of typed resources: they need a credential and reject unknown query parameters. */
export const typedEndpoint = { access: 'authenticated', unknownQuery: 'refuse' } as const;

/** One typed resource with its `ETag`. */
export function itemAnswer(status: number, item: Rendered, headers: Headers = {}): Answer {
  return json(status, item, { ...headers, ETag: etagOf(item) });
}

/** The response header of {@link itemAnswer}, for the document. */
export const etagDocs = { ETag: 'The uid and the revision, in quotes.' };
/** The response for a current copy, for the document. */
export const notModified = { description: 'Unchanged since the `ETag` of `If-None-Match`.' };

/** The request header of conditional writes, for the document. */
export const ifMatch: Parameter = {
  name: 'If-Match',
  in: 'header',
  description:
    'The `ETag`, or the revision in quotes, that the resource must have; several with commas, or `*`.',
  schema: { type: 'string' },
};

/** `?limit=` and `?continue=`, for the document; {@link readPage} parses them. */
export const pageQuery = z.object({
  limit: z
    .int()
    .min(1)
    .max(1000)
    .default(500)
    .meta({ description: 'The largest number of items.', example: 100 }),
  continue: z.string().optional().meta({ description: 'The `continue` of the previous page.' }),
});

/** Problems of everything below a name in the path. */
export const namedProblems: readonly ProblemCode[] = ['not_found', 'malformed_path'];
/** Problems of writes to one resource. */
export const changeProblems: readonly ProblemCode[] = [...namedProblems, 'precondition_failed', 'contention'];

/** The requested page of a list. */
export function readPage(query: URLSearchParams): PageQuery {
  return {
    limit: parseLimit(query.getAll('limit'), listLimit),
    after: parseContinue(query.getAll('continue')),
  };
}

/** Reads and validates a body before the use case starts, which reports a problem with it after the authorization. */
export async function sent<T>(read: () => Promise<T>): Promise<Sent<T>> {
  try {
    return { value: await read() };
  } catch (error) {
    if (error instanceof Problem) return { problem: error };
    throw error;
  }
}
