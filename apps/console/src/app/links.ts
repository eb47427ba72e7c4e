import { ancestorsInScope, type Kind, type KindRegistry, preferredVersion } from '../api/kinds.ts';
import { type Identity, type Resource, splitApiVersion } from '../api/resource.ts';

/** Where a link to a table or a resource leads. */
export interface PlaceLink {
  readonly to: '/r/$group/$version/$plural/$';
  readonly params: {
    readonly group: string;
    readonly version: string;
    readonly plural: string;
    readonly _splat: string;
  };
}

function placeLink(group: string, version: string, plural: string, names: readonly string[]): PlaceLink {
  return { to: '/r/$group/$version/$plural/$', params: { group, version, plural, _splat: names.join('/') } };
}

/** The table of a kind in a scope. */
export function kindLink(registry: KindRegistry, kind: Kind, scope: readonly string[]): PlaceLink {
  const depth = registry.ancestorsOf(kind)?.length ?? 0;
  return placeLink(kind.group, preferredVersion(kind), kind.plural, ancestorsInScope(depth, scope));
}

/** A resource by its names. Null when its kind is not listed. */
export function resourceLink(registry: KindRegistry, resource: Resource): PlaceLink | null {
  const { apiVersion, kind, metadata } = resource;
  const known = registry.byKind(apiVersion, kind);
  if (known === undefined) return null;
  const { group, version } = splitApiVersion(apiVersion);
  return placeLink(group, version, known.plural, [...metadata.ancestors, metadata.name]);
}

/** This very resource, also after its removal. Null when its kind is not listed. */
export function identityLink(
  registry: KindRegistry,
  { apiVersion, kind, uid }: Pick<Identity, 'apiVersion' | 'kind' | 'uid'>,
): PlaceLink | null {
  const known = registry.byKind(apiVersion, kind);
  if (known === undefined) return null;
  return placeLink(known.group, splitApiVersion(apiVersion).version, known.plural, [`uid:${uid}`]);
}
