import { Problem } from './problem.ts';

/** Identifies a version of a resource. A name is not enough, because another resource may reuse it. */
export interface Versioned {
  readonly uid: string;
  readonly revision: number;
}

/** The value of `If-Match` or `If-None-Match`: any existing resource, or a list of opaque tags. */
type Tags = '*' | readonly string[];

/** The versions that a write is for, and those that it is not for; null where it names none. */
export interface Precondition {
  readonly match: Tags | null;
  readonly noneMatch: Tags | null;
}

// RFC 9110, section 8.8.3: visible characters without the quote, and obs-text.
const listElement = /[ \t]*(?:(W\/)?"([\x21\x23-\x7e\x80-\xff]*)"[ \t]*)?(?:,|$)/y;

/** The `ETag` of a resource. It contains the uid, so that a resource that was deleted and created again has another one. */
export function etagOf({ uid, revision }: Versioned): string {
  return `"${uid}.${revision}"`;
}

/** Parses the headers of a write; null if there are none. Throws `malformed_request` if one is not a list of entity tags. */
export function readPrecondition(headers: {
  readonly 'if-match'?: string | undefined;
  readonly 'if-none-match'?: string | undefined;
}): Precondition | null {
  // Weak tags never match in a strong comparison, and are like others in the weak one (RFC 9110, sections 13.1.1 and 13.1.2).
  const match = readTags('If-Match', headers['if-match'], false);
  const noneMatch = readTags('If-None-Match', headers['if-none-match'], true);
  return match === null && noneMatch === null ? null : { match, noneMatch };
}

function readTags(name: string, header: string | undefined, takesWeak: boolean): Tags | null {
  if (header === undefined) return null;
  if (header.trim() === '*') return '*';
  const tags: string[] = [];
  listElement.lastIndex = 0;
  while (listElement.lastIndex < header.length) {
    const match = listElement.exec(header);
    if (match === null) {
      throw new Problem(
        'malformed_request',
        `${name} must be "*" or a list of entity tags in double quotes, such as the ETag of an answer.`,
      );
    }
    if (match[2] !== undefined && (takesWeak || match[1] === undefined)) tags.push(match[2]);
  }
  return tags;
}

/** Whether the resource matches the precondition, by its `ETag` or, for `If-Match`, only by its revision. */
export function meets(precondition: Precondition | null, current: Versioned): boolean {
  return precondition === null || (matches(precondition, current) && !isExcluded(precondition, current));
}

function matches({ match }: Precondition, { uid, revision }: Versioned): boolean {
  if (match === null || match === '*') return true;
  return match.includes(`${uid}.${revision}`) || match.includes(String(revision));
}

function isExcluded({ noneMatch }: Precondition, { uid, revision }: Versioned): boolean {
  if (noneMatch === null) return false;
  return noneMatch === '*' || noneMatch.includes(`${uid}.${revision}`);
}

/** Throws `precondition_failed` unless the resource meets the precondition. The caller must hold the lock of the resource. */
export function requireMet(precondition: Precondition | null, current: Versioned): void {
  if (precondition === null || meets(precondition, current)) return;
  const { revision } = current;
  throw new Problem(
    'precondition_failed',
    matches(precondition, current)
      ? `The resource exists at revision ${revision}, which If-None-Match excludes.`
      : `The resource is at revision ${revision}, which If-Match does not name; read it again.`,
    { members: { currentRevision: revision } },
  );
}

/** Refuses a POST that names versions: what does not exist yet has none (RFC 9110, section 13.1.1). */
export function requireNoVersion(precondition: Precondition | null): void {
  const match = precondition?.match ?? '*';
  if (match === '*') return;
  throw new Problem('precondition_failed', 'A POST has no version that If-Match could name.');
}
