import type { components } from 'platform-service-client/api-types';

type Schemas = components['schemas'];
export type Resource = Schemas['Resource'];
export type Identity = Schemas['ResourceIdentity'];
export type Explanation = Schemas['Explanation'];
export type DeletionCause = Schemas['DeletionCause'];
export type Relative = Schemas['Relative'];
export type DeletionPlan = Schemas['DeletionPlan'];
export type History = Schemas['History'];
export type HistoryEntry = History['items'][number];
export type WatchEvent = Schemas['WatchEvent'];
export type WatchChange = Schemas['WatchChange'];
export type PendingDeletionList = Schemas['PendingDeletionList'];
export type DefinitionSpec = Schemas['ResourceDefinitionSpec'];

/** The prefix of the generic resource API. */
export const resourcesPath = '/api/v1/resources';

/** A collection, or the resources of a kind below one or all parents. */
export interface CollectionPlace {
  readonly group: string;
  readonly version: string;
  readonly plural: string;
  /** Names of the ancestors, root first; `-` for every name. */
  readonly ancestors: readonly string[];
}

/** One resource: by the names of its ancestors and its own, or by `uid:`. */
export interface ItemPlace {
  readonly group: string;
  readonly version: string;
  readonly plural: string;
  readonly names: readonly string[];
}

export function collectionPath({ group, version, plural, ancestors }: CollectionPlace): string {
  return [resourcesPath, ...[group, version, plural, ...ancestors].map(encodeURIComponent)].join('/');
}

export function itemPath({ group, version, plural, names }: ItemPlace): string {
  return collectionPath({ group, version, plural, ancestors: names }).replaceAll('/uid%3A', '/uid:');
}

/** `group/version` in two parts. */
export function splitApiVersion(apiVersion: string): { readonly group: string; readonly version: string } {
  const at = apiVersion.lastIndexOf('/');
  return { group: apiVersion.slice(0, at), version: apiVersion.slice(at + 1) };
}
