import { Problem } from '@platform/kernel';
import type { Collection, GroupKind } from './definition.ts';
import { uuidPattern } from './names.ts';
import type { CollectionRef, PathStep, ResourceRef } from './reference.ts';

/** The last segment of a path below an item, and what it stands for. */
const subresources = {
  status: 'status',
  finalizers: 'finalizers',
  'deletion-blockers': 'deletionBlockers',
} as const;

/** What a path below one item may address. */
export type Subresource = (typeof subresources)[keyof typeof subresources];

interface Coordinates {
  readonly group: string;
  readonly version: string;
  readonly plural: string;
}

/** A path that is well-formed; how many names it should have depends on the collection. */
export type ParsedPath =
  | { readonly form: 'pendingDeletion' }
  | (Coordinates & { readonly form: 'names'; readonly names: readonly string[] })
  | (Coordinates & { readonly form: 'uid'; readonly uid: string; readonly subresource: Subresource | null });

/** What a request addresses inside a collection. */
export type Target =
  | { readonly form: 'collection'; readonly collection: CollectionRef }
  | { readonly form: 'item' | Subresource; readonly ref: ResourceRef };

/** Everything a path can address; each form has its methods. */
export type TargetForm = 'pendingDeletion' | Target['form'];

/** The methods of each form (specification, "Path shapes"). */
export const methodsOf: Readonly<Record<TargetForm, readonly string[]>> = {
  pendingDeletion: ['GET'],
  collection: ['GET', 'POST'],
  item: ['GET', 'PUT', 'DELETE'],
  status: ['PUT'],
  finalizers: ['PUT'],
  deletionBlockers: ['GET'],
};

/**
 * Reads the part of a URL path after `/api/v1/resources/`, still percent-encoded. It is split before it is decoded
 * (contract 2.3), so that an encoded slash never makes a segment. Throws `malformed_path`.
 */
export function parsePath(encoded: string): ParsedPath {
  const segments = plainPath.test(encoded) ? encoded.split('/') : encoded.split('/').map(decodeSegment);
  if (segments.length === 1 && segments[0] === 'pending-deletion') return { form: 'pendingDeletion' };
  const [group, version, plural, ...names] = segments;
  if (group === undefined || version === undefined || plural === undefined) {
    throw malformed('A path is {group}/{version}/{plural}, then names; or pending-deletion alone.');
  }
  const uidAt = segments.findIndex((segment) => segment.startsWith('uid:'));
  if (uidAt === -1) return { form: 'names', group, version, plural, names };
  return { form: 'uid', group, version, plural, ...parseUidForm(uidAt, names) };
}

/**
 * What `names` address in the collection: as many names as it has ancestors are the collection, one more is an item, and a
 * keyword after that a subresource. Counting decides, so resources may be named like keywords. Throws `malformed_path`.
 */
export function resolveNames(
  names: readonly string[],
  collection: Collection,
  ancestors: readonly GroupKind[],
): Target {
  const depth = ancestors.length;
  const [name, keyword] = [names[depth], names[depth + 1]];
  const steps = ancestors.map((ancestor, index) => stepTo(ancestor, names[index] ?? ''));
  if (names.length < ancestors.length) {
    throw malformed(
      `${collection.plural} takes ${ancestors.length} ancestor name(s), the path has ${names.length}.`,
    );
  }
  if (name === undefined) {
    const { group, kind } = collection;
    return { form: 'collection', collection: { group, kind, ancestors: steps } };
  }
  steps.push(stepTo(collection, name));
  const ref: ResourceRef = { by: 'path', steps };
  if (keyword === undefined) return { form: 'item', ref };
  const form = subresourceOf(keyword);
  if (form === null || names.length > depth + 2) {
    throw malformed(
      `${collection.plural} takes ${ancestors.length + 1} name(s), then status, finalizers or deletion-blockers.`,
    );
  }
  return { form, ref };
}

/** Refuses a method that the form does not have, with the ones it has (405, RFC 9110 section 15.5.6). */
export function requireMethod(form: TargetForm, method: string): void {
  const allow = methodsOf[form];
  if (!allow.includes(method)) {
    throw new Problem('method_not_allowed', `${method} is not valid here; valid: ${allow.join(', ')}.`, {
      allow,
    });
  }
}

function parseUidForm(
  uidAt: number,
  names: readonly string[],
): { uid: string; subresource: Subresource | null } {
  const [token, keyword, ...rest] = names;
  if (uidAt !== 3 || token === undefined || rest.length > 0) {
    throw malformed('uid:{uuid} must be the only identifier, right after {group}/{version}/{plural}.');
  }
  const uid = token.slice('uid:'.length).toLowerCase();
  if (!uuidPattern.test(uid)) throw malformed('uid: must be followed by a UUID.');
  if (keyword === undefined) return { uid, subresource: null };
  const subresource = subresourceOf(keyword);
  if (subresource === null)
    throw malformed('After uid:{uuid} only status, finalizers or deletion-blockers may follow.');
  return { uid, subresource };
}

function subresourceOf(segment: string): Subresource | null {
  return Object.hasOwn(subresources, segment) ? subresources[segment as keyof typeof subresources] : null;
}

function stepTo({ group, kind }: GroupKind, name: string): PathStep {
  return { group, kind, name };
}

// What nearly all paths look like: nothing to decode, nothing to refuse.
const plainPath = /^[\w.:-]+(?:\/[\w.:-]+)*$/;

function decodeSegment(segment: string): string {
  if (segment === '') throw malformed('The path has an empty segment.');
  let decoded: string;
  try {
    decoded = decodeURIComponent(segment);
  } catch {
    throw malformed('The path has a bad percent-encoding.');
  }
  // No name has control characters, and PostgreSQL text cannot hold NUL.
  if (/\p{Cc}/u.test(decoded)) throw malformed('The path has a control character.');
  return decoded;
}

function malformed(detail: string): Problem {
  return new Problem('malformed_path', detail);
}
