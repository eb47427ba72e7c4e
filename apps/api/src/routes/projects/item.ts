import { etagOf, type Precondition, Problem, type ProblemCode, requireNoVersion } from '@platform/kernel';
import type { PageRequest, ProjectPorts, Rendered, Sent } from '@platform/projects';
import { type AnsweredRequests, canonicalPath, listLimit, parseLimit, parseName } from '@platform/resources';
import { type Answer, type Headers, json } from '../../endpoint/answer.ts';
import type { Call } from '../../endpoint/call.ts';
import { etagDocs } from '../../endpoint/shared-docs.ts';

/** The transactions of requests with an idempotency key. */
export interface RepeatDeps {
  /** Runs work with ports that are bound to one transaction, which keeps the answer. It may run again after a lost race. */
  readonly inTransaction: <T>(
    work: (ports: ProjectPorts, requests: AnsweredRequests) => Promise<T>,
  ) => Promise<T>;
  /** Ports for asking whether a request would be allowed: their transactions are rolled back, and nothing is recorded. */
  readonly askingPorts: ProjectPorts;
}

/** The dependencies of the endpoints of typed resources. */
export interface TypedDeps {
  readonly ports: ProjectPorts;
  /** Ports for dry runs: their transactions are rolled back. */
  readonly dryRunPorts: ProjectPorts;
  readonly repeats: RepeatDeps;
  /** Dry runs get a kept answer and keep none. */
  readonly dryRunRepeats: RepeatDeps;
}

/** The common part of all endpoints of typed resources: they need a credential and reject unknown query parameters. */
export const typedEndpoint = { access: 'authenticated', unknownQuery: 'refuse' } as const;

/** One typed resource with its `ETag`. */
export function itemAnswer(status: number, item: Rendered, headers: Headers = {}): Answer {
  return json(status, item, { ...headers, ETag: etagOf(item) });
}

/** A resource that a POST to a collection has created. `Location` is its path (RFC 9110, section 15.3.2). */
export function createdAnswer(
  { path }: { readonly path: string },
  item: Rendered,
  headers: Headers = {},
): Answer {
  return itemAnswer(201, item, { ...headers, Location: `${path}/${item.name}` });
}

/** The documented headers of such an answer. */
export const createdDocs = { ...etagDocs, Location: 'Where the resource is.' };

/** Problems of everything below a name in the path. */
export const namedProblems: readonly ProblemCode[] = ['not_found', 'malformed_path'];
/** Problems of a POST to a collection. */
export const createProblems: readonly ProblemCode[] = [
  ...namedProblems,
  'already_exists',
  'precondition_failed',
  'contention',
];
/** Problems of writes to one resource. */
export const changeProblems: readonly ProblemCode[] = [...namedProblems, 'precondition_failed', 'contention'];
/** Problems of PUT, whose body may say which revision was read. */
export const replaceProblems: readonly ProblemCode[] = [...changeProblems, 'revision_conflict'];

/** The requested page of a list. */
export function readPage({ path, searchParams }: Pick<Call, 'path' | 'searchParams'>): PageRequest {
  const list = canonicalPath(path);
  return {
    list,
    limit: parseLimit(searchParams.getAll('limit'), listLimit),
    after: parseName(searchParams.getAll('continue'), list),
  };
}

/** Reads and validates a body before the use case starts, which reports a problem with it after the authorization. */
export async function sent<T>(
  read: () => Promise<unknown>,
  validate: (body: unknown) => T,
): Promise<Sent<T>> {
  let body: unknown;
  try {
    body = await read();
    return { value: validate(body), body };
  } catch (error) {
    if (error instanceof Problem) return { problem: error, body };
    throw error;
  }
}

/** Reads the body of a POST to a collection, which can have no version: its `If-Match` is checked with the body. */
export async function sentNew<T>(
  { precondition }: { readonly precondition: Precondition | null },
  read: () => Promise<unknown>,
  validate: (body: unknown) => T,
): Promise<Sent<T>> {
  return await sent(read, (body) => {
    const value = validate(body);
    requireNoVersion(precondition);
    return value;
  });
}
