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

export { applyDefaults } from './definitions/apply-defaults.ts';
export { crdPointer } from './definitions/crd-faults.ts';
export { duplicateFields } from './definitions/duplicate-fields.ts';
export { listKeyFaults } from './definitions/list-keys.ts';
export { objectSchema } from './definitions/object-schema.ts';
export { type Pruned, pruneUnknown } from './definitions/prune.ts';
export { toCrdSpec, toCrdStatus } from './definitions/to-crd.ts';
export { toDefinitionSpec } from './definitions/to-definition-spec.ts';
export { ancestorsOfNamespace, namespaceOfAncestors } from './model/namespace.ts';
export { builtInSchema } from './openapi/built-in-schemas.ts';
export { byDocument, documentPath, type OpenApiKind } from './openapi/kinds.ts';
export { type OpenApiV2Part, openApiV2, openApiV2Part } from './openapi/v2.ts';
export { documentHash, openApiIndex, openApiV3 } from './openapi/v3.ts';
export { decodeProtobuf, protobufMediaType } from './protobuf/decode-body.ts';
