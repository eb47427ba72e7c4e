/**
 * The translation between the resource API and the Kubernetes API. Pure functions on values; the routes below
 * `/kubernetes` are in the API. It adds no rule of its own: what a request may do is decided by the resource API.
 *
 * - `model/`: namespaces, metadata, objects and `Status` errors in Kubernetes' form
 * - `discovery/`: `/api`, `/apis` and what the groups serve
 * - `tables/`: `Table` and `PartialObjectMetadata`
 * - `definitions/`: `CustomResourceDefinition` as a view of `ResourceDefinition`
 * - `openapi/`: the OpenAPI v2 and v3 documents
 * - `protobuf/`: bodies of built-in kinds as `application/vnd.kubernetes.protobuf`
 */

export { applyDefaults, withDefaults } from './definitions/apply-defaults.ts';
export { deprecationOf, hasPlainStatus, listKindOf, statusFieldsOf } from './definitions/kept-version.ts';
export { listKeyFaults } from './definitions/list-keys.ts';
export { metadataJsonSchema, objectSchema, statusJsonSchema } from './definitions/object-schema.ts';
export { pruneUnknown } from './definitions/prune.ts';
export { scaleOutline, scalePathsOf } from './definitions/scale-paths.ts';
export { aggregatedType, type Discovery, discoveryOf } from './discovery/discovery.ts';
export { type ServedResource, servedKind, servedResources } from './discovery/served-resource.ts';
export { builtInKinds, findBuiltInKind } from './model/built-in-kinds.ts';
export { type DeleteOptions, readDeleteOptions, readDryRun } from './model/delete-options.ts';
export { eventOf, type KubernetesEvent, placeOfEvent, rootNamespace } from './model/event.ts';
export { type EventSelector, hasEventsIn, parseEventSelector } from './model/event-selector.ts';
export { checkFields, readFieldValidation } from './model/field-validation.ts';
export { apiVersionOf, type KubernetesKind, qualifiedName, type ScalePaths } from './model/kind.ts';
export { lastApplied } from './model/last-applied.ts';
export { ancestorsOfNamespace, namespaceOfAncestors, phaseOf } from './model/namespace.ts';
export { namespaceSelector } from './model/namespace-label.ts';
export { objectConflict, objectPointer } from './model/object-fields.ts';
export {
  patchOfObject,
  patchOfStatus,
  replacementWith,
  requireNoNewFinalizers,
} from './model/object-patch.ts';
export { kubernetesSlot, statusFieldValue } from './model/object-status.ts';
export {
  appliedBody,
  requireAppliedDefinition,
  type SentObject,
  storedBody,
  toSentObject,
} from './model/read-object.ts';
export { listVersion, parseResourceVersion, type ResourceVersion } from './model/resource-version.ts';
export { readScale, renderScale, type SentScale, scaledBy, scaleOf } from './model/scale.ts';
export { isSecret, withSecretType } from './model/secret-type.ts';
export { type RequestedObject, type Status, statusOf } from './model/status-error.ts';
export { strategicMerge } from './model/strategic-merge.ts';
export { builtInSchema } from './openapi/built-in-schemas.ts';
export { byDocument, type OpenApiEntry, type OpenApiFormat, type OpenApiKind } from './openapi/kinds.ts';
export { knownFields } from './openapi/known-fields.ts';
export { openApiV2, openApiV2Protobuf } from './openapi/v2.ts';
export { documentHash, openApiIndex, openApiV3 } from './openapi/v3.ts';
export { decodeProtobuf, protobufMediaType } from './protobuf/decode-body.ts';
export { type EventRenderer, eventRenderer } from './tables/event-forms.ts';
export { type ObjectRenderer, type Representation, rendererOf } from './tables/representation.ts';
export { scaleInForm } from './tables/scale-form.ts';
export type { IncludeObject } from './tables/table.ts';
