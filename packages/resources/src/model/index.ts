export { type Actor, actorOf, type Caller, type Controller, type Operator, ownSlot } from './caller.ts';
export {
  builtInCollection,
  type Collection,
  type DefinitionVersion,
  type GroupKind,
  isOfKind,
  type KindVersion,
  maxParentChain,
  platformApiVersion,
  platformGroup,
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
  type CollectionPath,
  type ParsedPath,
  parsePath,
} from './path.ts';
export { createBody, finalizersBody, replaceBody, statusBody } from './request-bodies.ts';
export { emptyStatus, identityOf, type JsonText, type Resource, type ResourceIdentity } from './resource.ts';
export {
  type CollectionRef,
  type CollectionTarget,
  definitionOf,
  type ItemTarget,
  type PathRef,
  type PathStep,
  type ResolvedTarget,
  type ResourceRef,
  type Subresource,
  type TargetForm,
  type UidRef,
  type UnregisteredRef,
} from './target.ts';
