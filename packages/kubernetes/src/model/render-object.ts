import {
  controllerAnnotation,
  type JsonObject,
  type JsonText,
  type JsonValue,
  parseValue,
  type Resource,
  readableSpec,
  renderValue,
  stringOf,
} from '@platform/resources';
import { toCrdSpec, toCrdStatus } from '../definitions/to-crd.ts';
import { withAppliedValues } from './applied-secret.ts';
import { shownKindName } from './built-in-kinds.ts';
import { withSealedBytes } from './data-bytes.ts';
import { generateNameAnnotation, isHiddenAnnotation } from './hidden-annotations.ts';
import { apiVersionOf, type KubernetesKind } from './kind.ts';
import { namespaceOfAncestors, phaseOf } from './namespace.ts';
import { namespaceLabel } from './namespace-label.ts';
import { objectManagers } from './object-fields.ts';
import { renderStatus } from './object-status.ts';
import { objectVersion } from './resource-version.ts';

/** The metadata text of a resource without annotations and managed fields. */
const plainMetadata = '{"annotations":{}}';

/** How an object is rendered. */
export interface ObjectOptions {
  /** Whether the object is in the event that says that it is gone, whose version is not that of its last state. */
  readonly removed?: boolean;
  /** False for an object that is not stored. */
  readonly hasVersion?: boolean;
  /** The versions that objects of a definition are stored at, by its plural. Without it, every version may be one. */
  readonly storedVersions?: ((plural: string) => readonly string[]) | undefined;
}

/** The object of a resource as JSON text. Stored documents are copied unchanged. */
export function renderObject(stored: Resource, kind: KubernetesKind, options: ObjectOptions = {}): JsonText {
  const spec = withSealedBytes(stored.spec, kind);
  const resource = spec === stored.spec ? stored : { ...stored, spec };
  const head = `{"kind":"${kind.kind}","apiVersion":"${apiVersionOf(kind)}","metadata":${renderMetadata(resource, kind, options)}`;
  if (kind.form === 'namespace') {
    return `${head},"spec":{"finalizers":["kubernetes"]},"status":{"phase":"${phaseOf(resource)}"}}`;
  }
  if (kind.form === 'definition') {
    const spec = parseValue(resource.spec) as JsonObject;
    const { creationTimestamp, deletionTimestamp } = resource;
    const deletedAt = deletionTimestamp === null ? null : seconds(deletionTimestamp);
    const used = options.storedVersions?.(stringOf(spec.get('plural')) ?? '') ?? null;
    const status = toCrdStatus(spec, seconds(creationTimestamp), deletedAt, used);
    return `${head},"spec":${renderValue(toCrdSpec(spec))},"status":${renderValue(status)}}`;
  }
  if (kind.form === 'data') {
    const members = resource.spec.trim().slice(1, -1).trim();
    return members === '' ? `${head}}` : `${head},${members}}`;
  }
  if (kind.form === 'lease') return `${head},"spec":${resource.spec}}`;
  const status = renderStatus(resource.status);
  return `${head},"spec":${readableSpec(resource)}${status === null ? '' : `,"status":${status}`}}`;
}

/** `metadata` with exactly the members that Kubernetes has. */
export function renderMetadata(
  resource: Resource,
  kind: KubernetesKind,
  { removed = false, hasVersion = true }: ObjectOptions = {},
): JsonText {
  const { annotations, managedFields } = documentsOf(resource.metadata);
  const generateName = annotations?.get(generateNameAnnotation);
  const members: string[] = [`"name":"${resource.name}"`];
  if (generateName !== undefined) members.push(`"generateName":${renderValue(generateName)}`);
  if (kind.depth > 0) members.push(`"namespace":"${namespaceOfAncestors(resource.ancestors)}"`);
  members.push(
    `"uid":"${resource.uid}"`,
    ...(hasVersion ? [`"resourceVersion":"${objectVersion(resource, removed)}"`] : []),
    ...(hasGeneration(kind) ? [`"generation":${generationOf(resource)}`] : []),
    `"creationTimestamp":"${seconds(resource.creationTimestamp)}"`,
  );
  if (resource.deletionTimestamp !== null) {
    members.push(
      `"deletionTimestamp":"${seconds(resource.deletionTimestamp)}"`,
      '"deletionGracePeriodSeconds":0',
    );
  }
  const labels =
    kind.form === 'namespace' ? { ...resource.labels, [namespaceLabel]: resource.name } : resource.labels;
  if (Object.keys(labels).length > 0) members.push(`"labels":${JSON.stringify(labels)}`);
  const shown = annotations && shownAnnotations(withAppliedValues(annotations, resource, kind));
  if (shown) members.push(`"annotations":${shown}`);
  if (resource.ownerReferences.length > 0)
    members.push(`"ownerReferences":${renderOwners(resource, annotations)}`);
  if (resource.finalizers.length > 0) members.push(`"finalizers":${JSON.stringify(resource.finalizers)}`);
  const managers = managedFields && objectManagers(managedFields, kind);
  if (managers !== undefined) members.push(`"managedFields":${renderValue(managers)}`);
  return `{${members.join(',')}}`;
}

/** Marking an object as deleted adds one, as in Kubernetes: controllers that look at new generations only would not see it otherwise. */
function generationOf({ generation, deletionTimestamp }: Resource): number {
  return generation + (deletionTimestamp === null ? 0 : 1);
}

/** In Kubernetes, objects without a desired state that somebody reaches have no generation; `kubectl diff` would show it as a change. */
function hasGeneration({ form }: KubernetesKind): boolean {
  return form === 'resource' || form === 'definition';
}

/** Kubernetes knows no fractions of a second here. */
function seconds(timestamp: string): string {
  return `${timestamp.slice(0, 19)}Z`;
}

function documentsOf(metadata: JsonText): {
  annotations?: JsonObject | undefined;
  managedFields?: JsonValue | undefined;
} {
  if (metadata === plainMetadata) return {};
  const members = parseValue(metadata) as JsonObject;
  return {
    annotations: members.get('annotations') as JsonObject | undefined,
    managedFields: members.get('managedFields'),
  };
}

function shownAnnotations(annotations: JsonObject): JsonText | null {
  const shown = [...annotations].filter(([name]) => !isHiddenAnnotation(name));
  return shown.length === 0 ? null : renderValue(new Map(shown));
}

function renderOwners({ ownerReferences }: Resource, annotations: JsonObject | undefined): JsonText {
  const controller = annotations?.get(controllerAnnotation);
  const references = ownerReferences.map(({ blockOwnerDeletion, ...reference }) => ({
    ...reference,
    ...shownKindName(reference),
    ...(controller === JSON.stringify(reference.uid) ? { controller: true } : {}),
    ...(blockOwnerDeletion ? { blockOwnerDeletion } : {}),
  }));
  return JSON.stringify(references);
}
