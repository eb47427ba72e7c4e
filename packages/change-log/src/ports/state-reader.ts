import type { CollectionRef, DefinitionVersion, Resource, ResourceRef, Selection } from '@platform/resources';
import type { Cursor } from '../model/cursor.ts';
import type { InitialPage, ListPlace } from '../model/initial-page.ts';

/** The part of a collection that a stream shows. */
export type ShownPart = Pick<Selection, 'labels' | 'fields' | 'scopes'>;

/**
 * Reads of the state with the point of the log at which it was read.
 * @throws StaleDefinitions before anything else, when definitions changed since the request was resolved.
 */
export interface StateReader {
  /** Must return the row that `ref` names, or null. */
  get(
    ref: ResourceRef,
    definition: DefinitionVersion,
  ): Promise<{ readonly resource: Resource | null; readonly cursor: Cursor }>;

  /**
   * Must return the rows of the collection after `after` in list order; null when an ancestor before the first one of any name does not
   * exist. Only those that have the labels and fields; with `scopes`, only those that are in one of these resources.
   */
  list(
    collection: CollectionRef,
    after: ListPlace | null,
    definition: DefinitionVersion,
    part: ShownPart,
  ): Promise<InitialPage | null>;

  /** Must return the rows of every kind after `after`, by uid. */
  all(after: ListPlace | null): Promise<InitialPage>;
}
