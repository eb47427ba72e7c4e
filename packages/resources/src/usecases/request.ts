import { Problem } from '@platform/kernel';
import type { Caller } from '../model/caller.ts';
import type { Collection } from '../model/definition.ts';
import type { CollectionRef, ResourceRef } from '../model/reference.ts';
import type { DefinitionVersion } from '../ports/definition-version.ts';

/** What every use case is told about the request it serves. */
export interface RequestContext {
  readonly caller: Caller;
  readonly requestId: string;
}

/** A request for one item. `collection` is null when no definition claims its kind (contract 2.12). */
export interface ItemRequest extends RequestContext {
  readonly ref: ResourceRef;
  readonly collection: Collection | null;
}

/** A request for a collection. */
export interface CollectionRequest extends RequestContext {
  readonly ref: CollectionRef;
  readonly collection: Collection;
  readonly version: string;
}

/** The definition that every statement of the request has to compare. */
export function definitionOf({ collection }: { readonly collection: Collection | null }): DefinitionVersion {
  return collection?.definition ?? null;
}

/** The 404 of an item. */
export function notFound(): Problem {
  return new Problem('not_found', 'There is no such resource.');
}

/** The 404 of a collection below an ancestor that does not exist. */
export function ancestorMissing(): Problem {
  return new Problem('not_found', 'An ancestor that the path names does not exist.');
}
