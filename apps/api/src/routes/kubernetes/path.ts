/** The paths of the Kubernetes API begin with it. */
export const kubernetesPrefix = '/kubernetes';

/** A resource path of the Kubernetes API. */
export interface ObjectPath {
  /** Empty for the core group. */
  readonly group: string;
  readonly version: string;
  readonly namespace: string | null;
  readonly plural: string;
  readonly name: string | null;
  readonly subresource: string | null;
}

/** A path below the prefix: a resource, or anything else by its segments. `isWatch` is true for the older form of a watch, `.../v1/watch/widgets`. */
export type KubernetesPath =
  | { readonly type: 'object'; readonly object: ObjectPath; readonly isWatch: boolean }
  | { readonly type: 'other'; readonly segments: readonly string[] };

/** Reads the part of the path below the prefix. It is split before it is decoded. Null for a bad percent-encoding. */
export function parseKubernetesPath(encoded: string): KubernetesPath | null {
  let segments: string[];
  try {
    segments = encoded
      .split('/')
      .filter((segment) => segment !== '')
      .map(decodeURIComponent);
  } catch {
    return null;
  }
  const [root, ...rest] = segments;
  if (root === 'api' && rest.length > 1) return objectPath('', rest[0] ?? '', rest.slice(1), segments);
  if (root === 'apis' && rest.length > 2) {
    return objectPath(rest[0] ?? '', rest[1] ?? '', rest.slice(2), segments);
  }
  return { type: 'other', segments };
}

function objectPath(
  group: string,
  version: string,
  place: readonly string[],
  segments: readonly string[],
): KubernetesPath {
  const isWatch = place[0] === 'watch' && place.length > 1;
  const rest = isWatch ? place.slice(1) : place;
  // `namespaces/{name}/{plural}` is below a namespace, but for the subresources of a Namespace itself.
  const isInNamespace =
    rest[0] === 'namespaces' &&
    rest.length > 2 &&
    !(group === '' && /^(?:status|finalize)$/.test(rest[2] ?? ''));
  const [plural = '', name = null, subresource = null, ...more] = isInNamespace ? rest.slice(2) : rest;
  if (more.length > 0) return { type: 'other', segments };
  const namespace = isInNamespace ? (rest[1] ?? null) : null;
  return { type: 'object', object: { group, version, namespace, plural, name, subresource }, isWatch };
}
