import type { KindPath } from 'platform-service-client';

/** One version of a kind. */
export interface KindVersion {
  readonly name: string;
  readonly served: boolean;
  readonly storage: boolean;
  /** The columns of tables, in addition to the name and the age. */
  readonly additionalPrinterColumns?: readonly PrinterColumn[];
}

/** A column of tables, in the form of Kubernetes. */
export interface PrinterColumn {
  readonly name: string;
  readonly type: string;
  readonly jsonPath: string;
  /** Shown with `-o wide` only, unless it is 0 or absent. */
  readonly priority?: number;
}

/** A registered or built-in kind. */
export interface Kind {
  readonly group: string;
  readonly kind: string;
  readonly plural: string;
  readonly versions: readonly KindVersion[];
  readonly parent: { readonly apiVersion: string; readonly kind: string } | null;
  readonly builtIn: boolean;
  readonly singular?: string;
  readonly shortNames?: readonly string[];
  /** Groups of kinds that `get` shows together. */
  readonly categories?: readonly string[];
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
  builtIn('Role', 'roles'),
  builtIn('RoleBinding', 'rolebindings'),
];

/** Short names of the built-in kinds. */
export const builtInShortNames: Readonly<Record<string, string>> = {
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
  const { group, kind, plural, parent, versions, singular, shortNames, categories } = (spec ??
    {}) as Partial<Kind>;
  if (typeof group !== 'string' || typeof kind !== 'string' || typeof plural !== 'string') return null;
  if (!Array.isArray(versions)) return null;
  return {
    ...{ group, kind, plural, versions, parent: parent ?? null, builtIn: false },
    ...(singular === undefined ? {} : { singular }),
    shortNames: shortNames ?? [],
    categories: categories ?? [],
  };
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
