export { type Actor, actorOf, type Caller, type Controller, type Operator, ownSlot } from './caller.ts';
export {
  builtInCollection,
  type Collection,
  type GroupKind,
  isOfKind,
  type KindVersion,
  maxParentChain,
  platformGroup,
  platformVersion,
  type SchemaRef,
  servedVersion,
  storageVersion,
} from './definition.ts';
export { type DefinitionSpec, definitionSpec, storedDefinitionSpec } from './definition-spec.ts';
export { projectedApiVersion, renderEnvelope, renderPage } from './envelope.ts';
export { type JsonDocument, maxNesting, parseDocument } from './json-document.ts';
export { sameJson } from './json-equality.ts';
export {
  apiVersionPattern,
  cascadeFinalizer,
  discriminatorPattern,
  dnsSubdomainPattern,
  finalizerName,
  groupOf,
  isResourceName,
  kindPattern,
  maxFinalizers,
  maxNameLength,
  parseUid,
  reservedFinalizerPrefix,
  resourceName,
  uuidPattern,
  versionNamePattern,
  versionOf,
} from './names.ts';
export { type OwnerReference, ownerReference, sameOwnerReference } from './owner-reference.ts';
export {
  methodsOf,
  type ParsedPath,
  parsePath,
  requireMethod,
  resolveNames,
  type Subresource,
  type Target,
  type TargetForm,
} from './path.ts';
export type { CollectionRef, OrphanRef, PathRef, PathStep, ResourceRef, UidRef } from './reference.ts';
export { createBody, finalizersBody, replaceBody, statusBody } from './request-bodies.ts';
export { emptyStatus, type JsonText, type Resource } from './resource.ts';
