import { Failure } from '../failure.ts';

/** A resource as a file describes it. */
export interface ResourceDocument {
  readonly apiVersion: string;
  readonly kind: string;
  readonly name: string;
  /** The names above it: the member `in`, which is the command's own and never sent. */
  readonly ancestors: readonly string[] | undefined;
  readonly metadata: Readonly<Record<string, unknown>>;
  /** Undefined when the file does not say. */
  readonly spec: unknown;
  /** Where it stands, for messages. */
  readonly source: string;
  /** Every member as it was written, but `in`. */
  readonly whole: Readonly<Record<string, unknown>>;
}

/** What the server sets; in a file it is left over from reading, and says nothing. */
const serverSet = [
  'uid',
  'revision',
  'generation',
  'discriminator',
  'creationTimestamp',
  'deletionTimestamp',
];

/** Reads one document of a file. Throws a Failure when it is no resource. */
export function readDocument(value: unknown, source: string): ResourceDocument {
  if (!isRecord(value)) throw new Failure('invalid', `${source}: is no resource`);
  const { in: place, ...whole } = value;
  const { apiVersion, kind, metadata, spec } = whole;
  const name = isRecord(metadata) ? metadata['name'] : undefined;
  for (const [path, text] of Object.entries({ apiVersion, kind, 'metadata.name': name })) {
    if (typeof text !== 'string' || text === '')
      throw new Failure('invalid', `${source}: ${path} is missing`);
  }
  return {
    apiVersion: apiVersion as string,
    kind: kind as string,
    name: name as string,
    ancestors: readPlace(place, source),
    metadata: metadata as Record<string, unknown>,
    spec,
    source,
    whole,
  };
}

function readPlace(place: unknown, source: string): readonly string[] | undefined {
  if (place === undefined || place === null) return undefined;
  if (typeof place === 'string') return place === '' ? [] : place.split('/');
  if (Array.isArray(place) && place.every((name) => typeof name === 'string')) return place;
  throw new Failure('invalid', `${source}: "in" must be the names above the resource, such as blog/news`);
}

/** The body that creates it: what the server sets, and the status, are left out. */
export function creationOf({ whole }: ResourceDocument): Record<string, unknown> {
  const { status: _, ...rest } = whole;
  const metadata = Object.entries(rest['metadata'] as object).filter(
    ([member]) => !serverSet.includes(member),
  );
  return { ...rest, metadata: Object.fromEntries(metadata) };
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
