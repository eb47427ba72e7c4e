import type { Kind, KindRegistry } from '../../api/kinds.ts';
import { type ItemPlace, itemPath, type Resource } from '../../api/resource.ts';

/** What every part of the page of a resource works on. */
export interface ResourceView {
  readonly kind: Kind;
  readonly registry: KindRegistry;
  /** By uid, so that it stays this very resource. */
  readonly place: ItemPlace;
  readonly resource: Resource;
}

/** The path of a subresource. */
export function partPath({ place }: ResourceView, part: string): string {
  return `${itemPath(place)}/${part}`;
}
