import { isServerMetadata } from 'platform-service-client';
import { Failure } from '../failure.ts';

/** A resource as a file describes it. */
export interface ResourceDocument {
  readonly apiVersion: string;
  readonly kind: string;
  readonly name: string;
  /** The names of the ancestors: the field `in`, which only this command line knows. It is never sent. */
  readonly ancestors: readonly string[] | undefined;
  readonly metadata: Readonly<Record<string, unknown>>;
  /** Undefined when the file omits it. */
  readonly spec: unknown;
  /** The file and position, for messages. */
  readonly source: string;
  /** All fields of the file, without `in`. */
  readonly whole: Readonly<Record<string, unknown>>;
}

/** Reads one document of a file. Throws a Failure when it is not a resource. */
export function readDocument(value: unknown, source: string): ResourceDocument {
  if (!isRecord(value))
    throw new Failure('invalid', `${source}: not a resource (apiVersion, kind and metadata.name expected)`);
  const { in: within, ...whole } = value;
  const { apiVersion, kind, metadata, spec } = whole;
  const name = isRecord(metadata) ? metadata['name'] : undefined;
  for (const [path, text] of Object.entries({ apiVersion, kind, 'metadata.name': name })) {
    if (typeof text !== 'string' || text === '')
      throw new Failure('invalid', `${source}: not a resource: ${path} is missing`);
  }
  return {
    apiVersion: apiVersion as string,
    kind: kind as string,
    name: name as string,
    ancestors: readAncestors(within, source),
    metadata: metadata as Record<string, unknown>,
    spec,
    source,
    whole,
  };
}

function readAncestors(within: unknown, source: string): readonly string[] | undefined {
  if (within === undefined || within === null) return undefined;
  if (typeof within === 'string') return within === '' ? [] : within.split('/');
  if (Array.isArray(within) && within.every((name) => typeof name === 'string')) return within;
  throw new Failure('invalid', `${source}: "in" must contain the names of the ancestors, such as blog/news`);
}

/** The body of a create request: without the status and the metadata that the server sets, which files have that `get` wrote. */
export function creationOf({ whole }: ResourceDocument): Record<string, unknown> {
  const { status: _, ...rest } = whole;
  const metadata = Object.entries(rest['metadata'] as object).filter(([member]) => !isServerMetadata(member));
  return { ...rest, metadata: Object.fromEntries(metadata) };
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
