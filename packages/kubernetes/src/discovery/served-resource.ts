import { builtInKinds } from '../model/built-in-kinds.ts';
import type { KubernetesKind } from '../model/kind.ts';

/** A subresource in discovery. */
export interface ServedSubresource {
  readonly name: string;
  readonly verbs: readonly string[];
  /** The kind that it answers with, when that is not the kind of the resource. */
  readonly answers?: { readonly group: string; readonly version: string; readonly kind: string };
}

/** A resource in discovery. */
export interface ServedResource {
  readonly group: string;
  readonly version: string;
  readonly kind: string;
  readonly plural: string;
  readonly singular: string;
  readonly shortNames: readonly string[];
  readonly categories: readonly string[];
  readonly namespaced: boolean;
  readonly verbs: readonly string[];
  readonly subresources: readonly ServedSubresource[];
}

const allVerbs = ['create', 'delete', 'deletecollection', 'get', 'list', 'patch', 'update', 'watch'];
const subresourceVerbs = ['get', 'patch', 'update'];
const status: ServedSubresource = { name: 'status', verbs: subresourceVerbs };
const scale: ServedSubresource = {
  name: 'scale',
  verbs: subresourceVerbs,
  answers: { group: 'autoscaling', version: 'v1', kind: 'Scale' },
};

const names = { singular: '', shortNames: [], categories: [], subresources: [] };

/** Reviews that answer without storing anything. */
const reviews: readonly ServedResource[] = [
  ['authentication.k8s.io', 'SelfSubjectReview', 'selfsubjectreviews'] as const,
  ['authorization.k8s.io', 'SelfSubjectAccessReview', 'selfsubjectaccessreviews'] as const,
  ['authorization.k8s.io', 'SelfSubjectRulesReview', 'selfsubjectrulesreviews'] as const,
].map(([group, kind, plural]) => ({
  ...names,
  group,
  version: 'v1',
  kind,
  plural,
  namespaced: false,
  verbs: ['create'],
  singular: kind.toLowerCase(),
}));

/** The history of resources, in Kubernetes' form. */
const events: readonly ServedResource[] = ['', 'events.k8s.io'].map((group) => ({
  ...names,
  group,
  version: 'v1',
  kind: 'Event',
  plural: 'events',
  singular: 'event',
  shortNames: ['ev'],
  namespaced: true,
  verbs: ['get', 'list', 'watch'],
}));

/** The kind in discovery. */
export function servedKind(kind: KubernetesKind): ServedResource {
  const { group, version, plural, singular, shortNames, categories, depth, form } = kind;
  return {
    group,
    version,
    kind: kind.kind,
    plural,
    singular,
    shortNames,
    categories,
    namespaced: depth > 0,
    verbs: allVerbs.filter((verb) => form !== 'namespace' || verb !== 'deletecollection'),
    subresources: [
      ...(form === 'resource' || form === 'namespace' || form === 'definition' ? [status] : []),
      ...(kind.scale === null ? [] : [scale]),
    ],
  };
}

/** Everything that is served: what is built in, and the given kinds. */
export function servedResources(kinds: readonly KubernetesKind[]): readonly ServedResource[] {
  return [...[...builtInKinds, ...kinds].map(servedKind), ...events, ...reviews];
}
