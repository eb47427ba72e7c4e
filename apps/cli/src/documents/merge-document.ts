import {
  type ChangedResource,
  type ClientMetadata,
  isServerMetadata,
  noClientMetadata,
  type Resource,
} from 'platform-service-client';
import { sameJson } from '../json.ts';
import type { ResourceDocument } from './document.ts';

const reserved = 'system.platform.dev/';

const knownMembers = ['apiVersion', 'kind', 'metadata', 'spec', 'status'];
const clientMembers = Object.keys(noClientMetadata) as (keyof ClientMetadata)[];

function isKnownMetadata(member: string): boolean {
  return member === 'name' || Object.hasOwn(noClientMetadata, member) || isServerMetadata(member);
}

/** The metadata that users decide about, each member with the value that the function gives it. */
function clientMetadata(valueFor: (member: keyof ClientMetadata) => unknown): ClientMetadata {
  return Object.fromEntries(
    clientMembers.map((member) => [member, valueFor(member)]),
  ) as unknown as ClientMetadata;
}

/** The members of a document that this command line does not know, and that the stored resource does not have in this way. */
export function unknownMembers(
  stored: Resource,
  { whole, metadata }: ResourceDocument,
): { readonly top: object; readonly metadata: object; readonly isEmpty: boolean } {
  const unknown = (members: object, isKnown: (name: string) => boolean, own: object) =>
    Object.entries(members).filter(
      ([name, value]) => !isKnown(name) && !sameJson(value, (own as Record<string, unknown>)[name]),
    );
  const top = unknown(whole, (name) => knownMembers.includes(name), stored);
  const below = unknown(metadata, isKnownMetadata, stored.metadata);
  return {
    top: Object.fromEntries(top),
    metadata: Object.fromEntries(below),
    isEmpty: top.length + below.length === 0,
  };
}

/**
 * The stored resource with the fields of a document. A field that the document omits keeps its value, so that applying a file does
 * not remove the finalizers of controllers. The platform's own finalizers are kept in any case. Unknown fields and values of a wrong
 * type are kept as well: the server refuses them.
 */
export function mergeDocument(stored: Resource, document: ResourceDocument): ChangedResource {
  const { metadata, spec } = document;
  const { finalizers } = stored.metadata;
  const unknown = unknownMembers(stored, document);
  const wanted = clientMetadata((member) => metadata[member] ?? stored.metadata[member]);
  const withReserved = (names: readonly string[]) => [
    ...names,
    ...finalizers.filter((name) => name.startsWith(reserved) && !names.includes(name)),
  ];
  return {
    ...stored,
    ...unknown.top,
    metadata: {
      ...stored.metadata,
      ...unknown.metadata,
      ...wanted,
      finalizers: Array.isArray(wanted.finalizers) ? withReserved(wanted.finalizers) : wanted.finalizers,
    },
    spec: spec === undefined ? stored.spec : spec,
  };
}

/** The fields of a resource that users decide about. */
export interface Desired {
  readonly apiVersion: string;
  readonly kind: string;
  readonly metadata: Readonly<{ name: string } & ClientMetadata>;
  readonly spec: unknown;
}

/** The fields of a resource that users decide about: they are compared, shown and edited. */
export function desiredState({ apiVersion, kind, metadata, spec }: ChangedResource): Desired {
  const set = clientMetadata((member) => metadata[member] ?? noClientMetadata[member]);
  return { apiVersion, kind, metadata: { name: metadata.name, ...set }, spec: spec ?? {} };
}

/**
 * A three-way merge of whole fields: a field that the user left unchanged takes its current value. Null when a field was changed to
 * different values by the user and by somebody else.
 */
export function mergeEdit(original: Desired, edited: Desired, current: Desired): Desired | null {
  let isConflict = false;
  const pick = <T>(before: T, mine: T, theirs: T): T => {
    if (sameJson(mine, before)) return theirs;
    if (!sameJson(theirs, before) && !sameJson(theirs, mine)) isConflict = true;
    return mine;
  };
  const [base, mine, theirs] = [original.metadata, edited.metadata, current.metadata];
  const merged = {
    ...edited,
    metadata: {
      name: mine.name,
      ...clientMetadata((member) => pick<unknown>(base[member], mine[member], theirs[member])),
    },
    spec: pick(original.spec, edited.spec, current.spec),
  };
  return isConflict ? null : merged;
}
