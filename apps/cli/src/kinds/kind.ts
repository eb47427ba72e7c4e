import type { KindPath } from 'platform-service-client';

/** The group of the built-in kinds; no definition can have it. */
const platformGroup = 'platform.dev';

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

const builtIn = (kind: string, plural: string): Kind => ({
  group: platformGroup,
  kind,
  plural,
  versions: [{ name: 'v1alpha1', served: true, storage: true }],
  parent: null,
  builtIn: true,
});

/** The kind of definitions, which register other kinds. */
export const definitionKind = builtIn('ResourceDefinition', 'resourcedefinitions');

/** The kinds that every server has. */
export const oldestKinds: readonly Kind[] = [builtIn('Organization', 'organizations'), definitionKind];

/** A kind as the server lists it. */
export function listedKind(listed: Omit<Kind, 'builtIn'>): Kind {
  return { ...listed, builtIn: listed.group === platformGroup };
}

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
  if (!Array.isArray(versions) || versions.some((version) => typeof version?.name !== 'string')) return null;
  if (parent && (typeof parent.apiVersion !== 'string' || typeof parent.kind !== 'string')) return null;
  return {
    group,
    kind,
    plural,
    versions,
    parent: parent ?? null,
    builtIn: false,
    ...(typeof singular === 'string' ? { singular } : {}),
    shortNames: texts(shortNames),
    categories: texts(categories),
  };
}

function texts(value: unknown): readonly string[] {
  return Array.isArray(value) ? value.filter((each) => typeof each === 'string') : [];
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
