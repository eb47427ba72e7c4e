export { bootstrapDefaultOrganization, type DefaultOrganization } from './bootstrap.ts';
export { changeFinalizers } from './change-finalizers.ts';
export { createResource } from './create.ts';
export { type CatalogView, DefinitionCatalog } from './definition-catalog.ts';
export { type Deletion, deleteResource } from './delete.ts';
export {
  explainBlockers,
  getResource,
  listPendingDeletion,
  listResources,
  type ResourcePage,
} from './read.ts';
export { replaceResource } from './replace.ts';
export { replaceStatus } from './replace-status.ts';
export {
  type CollectionRequest,
  type ConditionalRequest,
  type ItemRequest,
  type RequestContext,
  type ResourcePorts,
  requireAccess,
} from './request.ts';
