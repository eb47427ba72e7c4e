import { Problem } from './problem.ts';

/** What a version of a resource is told apart by: `uid`, since a name may be given to another resource, and `revision`. */
export interface Versioned {
  readonly uid: string;
  readonly revision: number;
}

/** What `If-Match` asks for: any existing resource, or one of these opaque tags. */
export type Precondition = '*' | readonly string[];

// RFC 9110, section 8.8.3: visible characters without the quote, and obs-text.
const listElement = /[ \t]*(?:(W\/)?"([\x21\x23-\x7e\x80-\xff]*)"[ \t]*)?(?:,|$)/y;

/** The `ETag` of a resource. With the uid, a resource that was deleted and created again is never taken for the old one. */
export function etagOf({ uid, revision }: Versioned): string {
  return `"${uid}.${revision}"`;
}

/**
 * Reads the value of an `If-Match` header; null when it was not sent. Weak tags are left out: the comparison is the strong one, which they
 * never pass (RFC 9110, section 13.1.1). Throws `malformed_request` for a text that is no list of entity tags.
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

/** Whether the resource is one that the precondition asks for, by its `ETag` or by its revision alone. */
export function meets(precondition: Precondition | null, { uid, revision }: Versioned): boolean {
  if (precondition === null || precondition === '*') return true;
  return precondition.includes(`${uid}.${revision}`) || precondition.includes(String(revision));
}

/** Throws `precondition_failed` unless the resource meets the precondition. To be called while nobody else can change the resource. */
export function requireMet(precondition: Precondition | null, current: Versioned): void {
  if (meets(precondition, current)) return;
  throw new Problem(
    'precondition_failed',
    `The resource is at revision ${current.revision}, which If-Match does not name; read it again.`,
    { members: { currentRevision: current.revision } },
  );
}
