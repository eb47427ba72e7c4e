import {
  builtInKinds,
  deprecationOf,
  hasPlainStatus,
  type KubernetesKind,
  listKindOf,
  scalePathsOf,
  statusFieldsOf,
} from '@platform/kubernetes';
import {
  builtInCollections,
  type Collection,
  type DefinitionSpec,
  groupOf,
  maxParentChain,
  type PrinterColumn,
  platformGroup,
} from '@platform/resources';

const column = (name: string, jsonPath: string, priority = 0): PrinterColumn => ({
  name,
  type: 'string',
  jsonPath,
  priority,
});
const age: PrinterColumn = { name: 'Age', type: 'date', jsonPath: '.metadata.creationTimestamp' };

/** The columns of built-in kinds, by kind. */
const columnsOf: Readonly<Record<string, readonly PrinterColumn[]>> = {
  RoleBinding: [
    column('Role', '.spec.roleRef.name'),
    column('Scope', '.spec.scope.name'),
    age,
    column('Subjects', '.spec.subjects[*].name', 1),
  ],
  ResourceDefinition: [column('Group', '.spec.group'), column('Kind', '.spec.kind'), age],
  Subscription: [column('URL', '.spec.url'), age],
};

/** Built-in kinds in the group of the platform. Those that Kubernetes has itself are in its groups only. */
export const platformKinds: readonly KubernetesKind[] = builtInCollections
  .filter(
    ({ kind, ancestors }) => ancestors?.length === 0 || !builtInKinds.some((known) => known.kind === kind),
  )
  .map((collection) => ({
    ...kindOf(bareSpec(collection), 'v1alpha1', collection.ancestors?.length ?? 0),
    columns: columnsOf[collection.kind] ?? [],
  }));

/** The built-in kind with that group, version and plural in the group of the platform; null when there is none. */
export function platformKind(group: string, version: string, plural: string): KubernetesKind | null {
  return (
    platformKinds.find((one) => one.group === group && one.version === version && one.plural === plural) ??
    null
  );
}

/** The definition that a collection amounts to, without its schemas. */
export function bareSpec({ group, kind, plural, versions }: Collection): DefinitionSpec {
  const named = versions.map(({ name, served, storage }) => ({ name, served, storage }));
  return { group, kind, plural, versions: named, allowedStatusControllerIds: [] };
}

/** The kind that a definition makes at one of its versions. */
export function kindOf(spec: DefinitionSpec, version: string, depth: number): KubernetesKind {
  const {
    group,
    kind,
    plural,
    singular,
    shortNames = [],
    categories = [],
    description = '',
    versions,
  } = spec;
  const storage = versions.find((one) => one.storage)?.name ?? version;
  const served = versions.find(({ name }) => name === version);
  const listKind = listKindOf(spec);
  return {
    group,
    version,
    kind,
    plural,
    shortNames,
    categories,
    description,
    depth,
    singular: singular ?? kind.toLowerCase(),
    ...(listKind === undefined ? {} : { listKind }),
    form: 'resource',
    stored: { group, version: storage, plural, kind },
    columns: served?.additionalPrinterColumns ?? [],
    scale: scalePathsOf(served?.schema),
    hasPlainStatus: hasPlainStatus(spec, version),
    statusFields: statusFieldsOf(spec, version),
    deprecation: deprecationOf(spec, version),
  };
}

/** The number of ancestors; null while the chain of parents is not whole, since nothing is reachable by path then. */
export function depthOf(
  spec: Pick<DefinitionSpec, 'parent'>,
  byKind: ReadonlyMap<string, Pick<DefinitionSpec, 'parent'>>,
): number | null {
  let depth = 0;
  for (let parent = spec.parent; parent != null; depth += 1) {
    const group = groupOf(parent.apiVersion);
    if (group === platformGroup) return depth + 1;
    const found = byKind.get(`${group}/${parent.kind}`);
    if (found === undefined || depth > maxParentChain) return null;
    parent = found.parent;
  }
  return depth;
}
