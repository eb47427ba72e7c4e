import { etagOf, type ProblemCode } from '@platform/kernel';
import type { ProjectPorts, Rendered } from '@platform/projects';
import { z } from 'zod';
import { type Answer, type Headers, json } from '../../endpoint/answer.ts';
import type { Parameter } from '../../endpoint/documentation.ts';

/** What the endpoints of typed resources need. */
export interface TypedDeps {
  readonly ports: ProjectPorts;
}

/** Every endpoint of a typed resource: with a credential, and without query parameters that it does not have. */
export const typedEndpoint = { access: 'authenticated', unknownQuery: 'refuse' } as const;

/** One typed resource with its `ETag`. */
export function itemAnswer(status: number, item: Rendered, headers: Headers = {}): Answer {
  return json(status, item, { ...headers, ETag: etagOf(item) });
}

/** The response header of {@link itemAnswer}, for the document. */
export const etagDocs = { ETag: 'The uid and the revision, in quotes.' };
/** The response that a current copy gets, for the document. */
export const notModified = { description: 'Unchanged since the `ETag` of `If-None-Match`.' };

/** The header of conditional writes, for the document. */
export const ifMatch: Parameter = {
  name: 'If-Match',
  in: 'header',
  description:
    'The `ETag`, or the revision in quotes, that the resource must have; several with commas, or `*`.',
  schema: { type: 'string' },
};

/** `?limit=` and `?continue=`, for the document; the use case reads them. */
export const pageQuery = z.object({
  limit: z.int().min(1).max(1000).default(500).meta({ description: 'How many at most.', example: 100 }),
  continue: z.string().optional().meta({ description: 'The token of the page before.' }),
});

/** Problems of everything below a name in the path. */
export const namedProblems: readonly ProblemCode[] = ['not_found', 'malformed_path'];
/** Problems of writes to one resource. */
export const changeProblems: readonly ProblemCode[] = [...namedProblems, 'precondition_failed', 'contention'];
