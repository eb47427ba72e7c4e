import { Problem } from './problem.ts';

/** Identifies a version of a resource. A name is not enough, because another resource may reuse it. */
export interface Versioned {
  readonly uid: string;
  readonly revision: number;
}

/** The value of `If-Match`: any existing resource, or a list of opaque tags. */
export type Precondition = '*' | readonly string[];

// RFC 9110, section 8.8.3: visible characters without the quote, and obs-text.
const listElement = /[ \t]*(?:(W\/)?"([\x21\x23-\x7e\x80-\xff]*)"[ \t]*)?(?:,|$)/y;

/** The `ETag` of a resource. It contains the uid, so that a resource that was deleted and created again has another one. */
export function etagOf({ uid, revision }: Versioned): string {
  return `"${uid}.${revision}"`;
}

/**
 * Parses an `If-Match` header; null if there is none. Drops weak tags, because they never match in a strong comparison
 * (RFC 9110, section 13.1.1). Throws `malformed_request` if the value is not a list of entity tags.
 */
export function readIfMatch(header: string | undefined): Precondition | null {
  if (header === undefined) return null;
  if (header.trim() === '*') return '*';
  const tags: string[] = [];
  listElement.lastIndex = 0;
  while (listElement.lastIndex < header.length) {
    const match = listElement.exec(header);
    if (match === null) {
      throw new Problem(
        'malformed_request',
        'If-Match must be "*" or a list of entity tags in double quotes, such as the ETag of an answer.',
      );
    }
    if (match[2] !== undefined && match[1] === undefined) tags.push(match[2]);
  }
  return tags;
}

/** Whether the resource matches the precondition, by its `ETag` or only by its revision. */
export function meets(precondition: Precondition | null, { uid, revision }: Versioned): boolean {
  if (precondition === null || precondition === '*') return true;
  return precondition.includes(`${uid}.${revision}`) || precondition.includes(String(revision));
}

/** Throws `precondition_failed` unless the resource meets the precondition. The caller must hold the lock of the resource. */
export function requireMet(precondition: Precondition | null, current: Versioned): void {
  if (meets(precondition, current)) return;
  throw new Problem(
    'precondition_failed',
    `The resource is at revision ${current.revision}, which If-Match does not name; read it again.`,
    { members: { currentRevision: current.revision } },
  );
}

/** Refuses a POST that names versions: what does not exist yet has none (RFC 9110, section 13.1.1). */
export function requireNoVersion(precondition: Precondition | null): void {
  if (precondition === null || precondition === '*') return;
  throw new Problem('precondition_failed', 'A POST has no version that If-Match could name.');
}
