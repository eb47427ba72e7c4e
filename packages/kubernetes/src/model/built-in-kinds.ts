import { type PrinterColumn, platformApiVersion, platformGroup } from '@platform/resources';
import { apiVersionOf, type KubernetesKind, type ObjectForm, type TableColumn } from './kind.ts';

/** A kind of the platform that Kubernetes knows under another name or group. */
interface BuiltIn {
  readonly group: string;
  readonly version: string;
  readonly kind: string;
  readonly plural: string;
  readonly shortNames: readonly string[];
  readonly depth: number;
  readonly form: ObjectForm;
  readonly stored: { readonly plural: string; readonly kind: string };
  readonly columns: readonly TableColumn[];
}

const inNamespace = { depth: 1, version: 'v1' } as const;

const column = (name: string, jsonPath: string): PrinterColumn => ({ name, type: 'string', jsonPath });
const ageColumn: PrinterColumn = { name: 'Age', type: 'date', jsonPath: '.metadata.creationTimestamp' };

const table: readonly BuiltIn[] = [
  {
    group: '',
    version: 'v1',
    kind: 'Namespace',
    plural: 'namespaces',
    shortNames: ['ns'],
    depth: 0,
    form: 'namespace',
    stored: { plural: 'organizations', kind: 'Organization' },
    columns: [column('Status', '.status.phase'), ageColumn],
  },
  {
    ...inNamespace,
    group: '',
    kind: 'Secret',
    plural: 'secrets',
    shortNames: [],
    form: 'data',
    stored: { plural: 'secrets', kind: 'Secret' },
    columns: [column('Type', '.type'), { name: 'Data', counts: ['.data'] }, ageColumn],
  },
  {
    ...inNamespace,
    group: '',
    kind: 'ConfigMap',
    plural: 'configmaps',
    shortNames: ['cm'],
    form: 'data',
    stored: { plural: 'configmaps', kind: 'ConfigMap' },
    columns: [{ name: 'Data', counts: ['.data', '.binaryData'] }, ageColumn],
  },
  {
    ...inNamespace,
    group: 'coordination.k8s.io',
    kind: 'Lease',
    plural: 'leases',
    shortNames: [],
    form: 'lease',
    stored: { plural: 'leases', kind: 'Lease' },
    columns: [column('Holder', '.spec.holderIdentity'), ageColumn],
  },
  {
    group: 'apiextensions.k8s.io',
    version: 'v1',
    kind: 'CustomResourceDefinition',
    plural: 'customresourcedefinitions',
    shortNames: ['crd', 'crds'],
    depth: 0,
    form: 'definition',
    stored: { plural: 'resourcedefinitions', kind: 'ResourceDefinition' },
    columns: [
      { ...column('Created At', '.metadata.creationTimestamp'), type: 'string', format: 'date-time' },
    ],
  },
];

/** Kinds that have a name in Kubernetes, and are built in here. */
export const builtInKinds: readonly KubernetesKind[] = table.map(({ stored, ...kind }) => ({
  ...kind,
  singular: kind.kind.toLowerCase(),
  categories: [],
  description: '',
  scale: null,
  deprecation: null,
  stored: { group: platformGroup, version: platformApiVersion.slice(platformGroup.length + 1), ...stored },
}));

/** The built-in kind with that group, version and plural; null when there is none. */
export function findBuiltInKind(group: string, version: string, plural: string): KubernetesKind | null {
  return (
    builtInKinds.find((kind) => kind.group === group && kind.version === version && kind.plural === plural) ??
    null
  );
}

interface KindName {
  readonly apiVersion: string;
  readonly kind: string;
}

const nameOf = (kind: Pick<KubernetesKind, 'group' | 'version' | 'kind'>): KindName => ({
  apiVersion: apiVersionOf(kind),
  kind: kind.kind,
});

const pairs = builtInKinds.map((kind) => ({ shown: nameOf(kind), stored: nameOf(kind.stored) }));
const isSame = (a: KindName, b: KindName) => a.apiVersion === b.apiVersion && a.kind === b.kind;

/** The kind of an owner as the resource API names it. */
export function storedKindName(shown: KindName): KindName {
  return pairs.find((pair) => isSame(pair.shown, shown))?.stored ?? shown;
}

/** The kind of an owner as Kubernetes names it. */
export function shownKindName(stored: KindName): KindName {
  return pairs.find((pair) => isSame(pair.stored, stored))?.shown ?? stored;
}
