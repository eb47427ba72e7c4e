export { type Actor, actorOf, type Caller, type Controller, type Operator, ownSlot } from './caller.ts';
export {
  builtInCollections,
  type Collection,
  type GroupKind,
  isBuiltIn,
  type KindVersion,
  maxParentChain,
  platformGroup,
  platformVersion,
  reservedPlurals,
  servedVersion,
  storageVersion,
} from './definition.ts';
export { projectedApiVersion, renderEnvelope, renderPage } from './envelope.ts';
export {
  apiVersionPattern,
  cascadeFinalizer,
  discriminatorPattern,
  dnsLabelPattern,
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
export type { CollectionRef, OrphanRef, PathRef, PathStep, ResourceRef, UidRef } from './reference.ts';
export { emptyStatus, type JsonText, type Resource } from './resource.ts';
