import type { KindPath } from 'platform-service-client';

/** One version of a kind. */
export interface KindVersion {
  readonly name: string;
  readonly served: boolean;
  readonly storage: boolean;
}

/** A registered or built-in kind. */
export interface Kind {
  readonly group: string;
  readonly kind: string;
  readonly plural: string;
  readonly versions: readonly KindVersion[];
  readonly parent: { readonly apiVersion: string; readonly kind: string } | null;
  readonly builtIn: boolean;
}

const version = [{ name: 'v1alpha1', served: true, storage: true }];
const builtIn = (kind: string, plural: string, parent: Kind['parent'] = null): Kind => ({
  group: 'platform.dev',
  kind,
  plural,
  versions: version,
  parent,
  builtIn: true,
});

/** The kind of definitions, which register other kinds. */
export const definitionKind = builtIn('ResourceDefinition', 'resourcedefinitions');

const organization = { apiVersion: 'platform.dev/v1alpha1', kind: 'Organization' };

/** The kinds that exist without a definition. */
export const builtInKinds: readonly Kind[] = [
  builtIn('Organization', 'organizations'),
  definitionKind,
  builtIn('Secret', 'secrets', organization),
  builtIn('ConfigMap', 'configmaps', organization),
  builtIn('Lease', 'leases', organization),
  builtIn('Subscription', 'subscriptions'),
];

/** Short names of the built-in kinds. */
export const shortNames: Readonly<Record<string, string>> = {
  org: 'organizations',
  orgs: 'organizations',
  rd: 'resourcedefinitions',
  rds: 'resourcedefinitions',
  definition: 'resourcedefinitions',
  definitions: 'resourcedefinitions',
  cm: 'configmaps',
};

/** The kind that the `spec` of a definition registers; null when the spec is not valid. */
export function kindOfDefinition(spec: unknown): Kind | null {
  const { group, kind, plural, parent, versions } = (spec ?? {}) as Record<string, unknown>;
  if (typeof group !== 'string' || typeof kind !== 'string' || typeof plural !== 'string') return null;
  if (!Array.isArray(versions)) return null;
  const parentKind = (parent ?? null) as Kind['parent'];
  return { group, kind, plural, versions, parent: parentKind, builtIn: false };
}

/** The default version: the storage version, or another served one when it is not served. */
export function usualVersion({ versions }: Kind): string {
  const served = versions.filter((each) => each.served);
  return (served.find((each) => each.storage) ?? served[0] ?? versions[0])?.name ?? '';
}

/** The first segments of the paths of the kind. */
export function pathOf(kind: Kind, at: string = usualVersion(kind)): KindPath {
  return { group: kind.group, version: at, plural: kind.plural };
}
