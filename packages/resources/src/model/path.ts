import { Problem } from '@platform/kernel';
import { uuidPattern } from './names.ts';

/** The parts of an item that have a path of their own. */
export type Subresource =
  | 'status'
  | 'finalizers'
  | 'deletionBlockers'
  | 'explain'
  | 'deletionPlan'
  | 'history'
  | 'restore';

/** Every form of path. */
export type TargetForm = 'collection' | 'item' | Subresource | 'pendingDeletion';

/** The last segment of the path of each subresource. */
const subresources: Readonly<Record<string, Subresource>> = {
  status: 'status',
  finalizers: 'finalizers',
  'deletion-blockers': 'deletionBlockers',
  explain: 'explain',
  history: 'history',
  restore: 'restore',
  'deletion-plan': 'deletionPlan',
};

/** The last segments, for messages. */
export const subresourceWords = Object.keys(subresources)
  .join(', ')
  .replace(/, (?=[^,]*$)/, ' or ');

interface Coordinates {
  readonly group: string;
  readonly version: string;
  readonly plural: string;
}

/** A well-formed path into a collection. The number of names that it needs depends on the collection. */
export type CollectionPath =
  | (Coordinates & { readonly form: 'names'; readonly names: readonly string[] })
  | (Coordinates & {
      readonly form: 'uid';
      readonly uid: string;
      readonly subresource: Subresource | null;
      /** The revision in `history/{revision}`; null in any other path. */
      readonly revision: number | null;
    });

/** A well-formed path. */
export type ParsedPath = { readonly form: 'pendingDeletion' } | CollectionPath;

/**
 * Reads the part of a URL path after `/api/v1/resources/`, still percent-encoded. It is split before it is decoded, so that an encoded
 * slash never makes a segment. Throws `malformed_path`.
 */
export function parsePath(encoded: string): ParsedPath {
  const segments = encoded.split('/').map(decodeSegment);
  if (segments.length === 1 && segments[0] === 'pending-deletion') return { form: 'pendingDeletion' };
  const [group, version, plural, ...names] = segments;
  if (group === undefined || version === undefined || plural === undefined) {
    throw malformedPath('A path is {group}/{version}/{plural}, then names; or pending-deletion alone.');
  }
  const uidAt = segments.findIndex((segment) => segment.startsWith('uid:'));
  if (uidAt === -1) return { form: 'names', group, version, plural, names };
  return { form: 'uid', group, version, plural, ...parseUidForm(uidAt, names) };
}

function parseUidForm(
  uidAt: number,
  names: readonly string[],
): { uid: string; subresource: Subresource | null; revision: number | null } {
  const [token, keyword, ...rest] = names;
  const revision = keyword === 'history' ? revisionOf(rest) : null;
  if (uidAt !== 3 || token === undefined || (rest.length > 0 && revision === null)) {
    throw malformedPath('uid:{uuid} must be the only identifier, right after {group}/{version}/{plural}.');
  }
  const uid = token.slice('uid:'.length).toLowerCase();
  if (!uuidPattern.test(uid)) throw malformedPath('uid: must be followed by a UUID.');
  if (keyword === undefined) return { uid, subresource: null, revision };
  const subresource = subresourceOf(keyword);
  if (subresource === null) throw malformedPath(`After uid:{uuid} only ${subresourceWords} may follow.`);
  return { uid, subresource, revision };
}

/**
 * The one spelling of paths that name the same resource: a UUID in lower case, and no percent-encoding that is not needed (RFC 3986,
 * section 6.2.2). Keys of repeated requests and continue tokens belong to it.
 */
export function canonicalPath(path: string): string {
  return path
    .replace(/%[0-9A-Fa-f]{2}/g, (encoded) => {
      const character = String.fromCharCode(Number.parseInt(encoded.slice(1), 16));
      return /[A-Za-z0-9._~:-]/.test(character) ? character : encoded.toUpperCase();
    })
    .replace(/\/uid:[0-9A-Fa-f-]{36}(?=\/|$)/, (segment) => segment.toLowerCase());
}

/** The last segment of the path of a subresource; null for any other form. */
export function segmentOf(form: TargetForm): string | null {
  return Object.keys(subresources).find((segment) => subresources[segment] === form) ?? null;
}

/** The subresource that a segment names, or null. */
export function subresourceOf(segment: string): Subresource | null {
  return Object.hasOwn(subresources, segment) ? (subresources[segment] ?? null) : null;
}

/** The revision in the one segment after `history`; null when there is none. Throws `malformed_path` for any other segments. */
export function revisionOf([segment, ...more]: readonly string[]): number | null {
  if (segment === undefined) return null;
  if (more.length > 0 || !/^[1-9]\d{0,14}$/.test(segment)) {
    throw malformedPath('After history only a revision may follow.');
  }
  return Number(segment);
}

function decodeSegment(segment: string): string {
  if (segment === '') throw malformedPath('The path has an empty segment.');
  let decoded: string;
  try {
    decoded = decodeURIComponent(segment);
  } catch {
    throw malformedPath('The path has a bad percent-encoding.');
  }
  // No name has control characters, and PostgreSQL text cannot hold NUL.
  if (/\p{Cc}/u.test(decoded)) throw malformedPath('The path has a control character.');
  return decoded;
}

/** The refusal of a path that no collection has. */
export function malformedPath(detail: string): Problem {
  return new Problem('malformed_path', detail);
}
