import type { KindPath } from '@platform/client';

/** One version of a kind. */
export interface KindVersion {
  readonly name: string;
  readonly served: boolean;
  readonly storage: boolean;
}

/** A kind that the platform has, as its definition says. */
export interface Kind {
  readonly group: string;
  readonly kind: string;
  readonly plural: string;
  readonly versions: readonly KindVersion[];
  readonly parent: { readonly apiVersion: string; readonly kind: string } | null;
  readonly builtIn: boolean;
}

const version = [{ name: 'v1alpha1', served: true, storage: true }];
const builtIn = (kind: string, plural: string): Kind => ({
  group: 'platform.dev',
  kind,
  plural,
  versions: version,
  parent: null,
  builtIn: true,
});

/** The kind that registers kinds. */
export const definitionKind = builtIn('ResourceDefinition', 'resourcedefinitions');

/** The kinds that are there from the start. */
export const builtInKinds: readonly Kind[] = [builtIn('Organization', 'organizations'), definitionKind];

/** What people also call the kinds that are there from the start. */
export const shortNames: Readonly<Record<string, string>> = {
  org: 'organizations',
  orgs: 'organizations',
  rd: 'resourcedefinitions',
  rds: 'resourcedefinitions',
  definition: 'resourcedefinitions',
  definitions: 'resourcedefinitions',
};

/** The kind of a definition's `spec`; null when it is not readable as one. */
export function kindOfDefinition(spec: unknown): Kind | null {
  const { group, kind, plural, parent, versions } = (spec ?? {}) as Record<string, unknown>;
  if (typeof group !== 'string' || typeof kind !== 'string' || typeof plural !== 'string') return null;
  if (!Array.isArray(versions)) return null;
  const named = (parent ?? null) as Kind['parent'];
  return { group, kind, plural, versions, parent: named, builtIn: false };
}

/** The version to work with: the one that is stored and written, or when it is not served, one that is. */
export function usualVersion({ versions }: Kind): string {
  const served = versions.filter((one) => one.served);
  return (served.find((one) => one.storage) ?? served[0] ?? versions[0])?.name ?? '';
}

/** How the paths of the kind begin. */
export function pathOf(kind: Kind, at: string = usualVersion(kind)): KindPath {
  return { group: kind.group, version: at, plural: kind.plural };
}
