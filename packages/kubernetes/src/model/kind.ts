import type { GroupKind, PrinterColumn } from '@platform/resources';

/** A column of a table: what its path finds, or how many members the objects at some paths have. */
export type TableColumn = PrinterColumn | { readonly name: string; readonly counts: readonly string[] };

/** How the members of an object relate to those of a resource. */
export type ObjectForm =
  /** `spec` and `status`, as in custom resources. */
  | 'resource'
  /** A Namespace, which is an Organization. */
  | 'namespace'
  /** A CustomResourceDefinition, which is a ResourceDefinition. */
  | 'definition'
  /** `spec` alone. */
  | 'lease'
  /** The members other than `metadata` are those of `spec`, as in a Secret. */
  | 'data';

/** The members of an object that a Scale shows and sets, each as the names that lead to it. */
export interface ScalePaths {
  readonly spec: readonly string[];
  readonly status: readonly string[];
  /** Null for a kind that tells no selector. */
  readonly selector: readonly string[] | null;
}

/** A kind as the Kubernetes API serves it, at one version. */
export interface KubernetesKind extends GroupKind {
  /** Empty for the core group. */
  readonly group: string;
  readonly version: string;
  readonly plural: string;
  readonly singular: string;
  /** `<kind>List` by default. */
  readonly listKind?: string;
  readonly shortNames: readonly string[];
  readonly categories: readonly string[];
  readonly description: string;
  /** The number of ancestors: 0 for a cluster-scoped kind. */
  readonly depth: number;
  readonly form: ObjectForm;
  /** Where resources of the kind are in the resource API. Writes use the version that is stored. */
  readonly stored: {
    readonly group: string;
    readonly version: string;
    readonly plural: string;
    readonly kind: string;
  };
  readonly columns: readonly TableColumn[];
  /** Null for a kind without the subresource `scale`. */
  readonly scale: ScalePaths | null;
  /** Whether its definition declares no subresource `status`. In Kubernetes, a write of such an object writes its status, too. */
  readonly hasPlainStatus?: boolean;
  /** The fields of the status that objects are selected by, such as `status.phase`. */
  readonly statusFields?: readonly string[];
  /** The warning for clients of a deprecated version; null for other versions. */
  readonly deprecation: string | null;
}

/** `v1` for the core group, else `<group>/<version>`. */
export function apiVersionOf({
  group,
  version,
}: {
  readonly group: string;
  readonly version: string;
}): string {
  return group === '' ? version : `${group}/${version}`;
}

/** The resource as messages name it: `widgets.example.dev`, or `secrets` in the core group. */
export function qualifiedName({
  group,
  plural,
}: {
  readonly group: string;
  readonly plural: string;
}): string {
  return group === '' ? plural : `${plural}.${group}`;
}
