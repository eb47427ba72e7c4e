import { type May, useAccess } from '../../api/access.ts';
import type { Kind, KindRegistry } from '../../api/kinds.ts';
import { type ItemPlace, itemPath, type Resource } from '../../api/resource.ts';

/** The data that every part of the page of a resource works on. */
export interface ResourceView {
  readonly kind: Kind;
  readonly registry: KindRegistry;
  /** By uid, so that it stays this very resource. */
  readonly place: ItemPlace;
  readonly resource: Resource;
  /** It was removed; `resource` is its last state. */
  readonly isRemoved: boolean;
  readonly may: May;
}

/** The actions that the page of a resource offers, by verb. */
const offered = ['update', 'patch', 'delete'] as const;

/** The permissions of the caller on a resource, once it was read. */
export function useOffered(place: ItemPlace, resource: Resource | undefined): May {
  const path = itemPath({ ...place, names: [`uid:${resource?.metadata.uid ?? ''}`] });
  return useAccess(resource === undefined ? [] : offered.map((verb) => ({ verb, path })));
}

/** The path of a subresource. */
export function partPath({ place }: ResourceView, part: string): string {
  return `${itemPath(place)}/${part}`;
}
