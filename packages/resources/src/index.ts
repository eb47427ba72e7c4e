export { leases } from './kinds/lease.ts';
export { organizationSpec, organizations } from './kinds/organization.ts';
export { requireAll, withFaultsOf } from './kinds/require-all.ts';
export { resourceDefinitions } from './kinds/resource-definition.ts';
export { roles } from './kinds/role.ts';
export { roleBindingSpec, roleBindings } from './kinds/role-binding.ts';
export { secrets } from './kinds/secret.ts';
export { builtInCollectionOf, builtInCollections } from './kinds/table.ts';
export { type AccessGuard, admits, isUnrestricted, scopesOf } from './model/access-guard.ts';
export type { Caller } from './model/caller.ts';
export {
  type ChangeContext,
  maxUserAgent,
  type Operation,
  parseReason,
  systemChange,
} from './model/change-context.ts';
export {
  type Collection,
  type DefinitionVersion,
  type GroupKind,
  isOfKind,
  maxParentChain,
  platformApiVersion,
  platformGroup,
  type SchemaRef,
  selectableFields,
} from './model/definition.ts';
export { type PrinterColumn, selectableFault } from './model/definition-display.ts';
export { type DefinitionSpec, definitionSpec, storedDefinitionSpec } from './model/definition-spec.ts';
export type { DeletionEdge, DeletionGraph, DeletionNode } from './model/deletion-graph.ts';
export { deletionProtectionAnnotation, isDeletionProtected } from './model/deletion-protection.ts';
export {
  envelopeBytes,
  projectedApiVersion,
  renderEnvelope,
  renderPage,
  type View,
} from './model/envelope.ts';
export {
  type FieldRequirement,
  type FieldSelector,
  matchesFields,
  selectedName,
} from './model/field-selector.ts';
export { isFieldsV1 } from './model/field-set.ts';
export { maxListMapKeys } from './model/field-type.ts';
export { type JsonDocument, parseDocument } from './model/json-document.ts';
export {
  cloneValue,
  equalValues,
  type JsonObject,
  type JsonValue,
  lengthOf,
  parseValue,
  renderValue,
  stringOf,
} from './model/json-value.ts';
export {
  type LabelRequirement,
  type LabelSelector,
  matchesLabels,
  parseLabelSelector,
} from './model/label-selector.ts';
export { type Labels, noLabels } from './model/labels.ts';
export {
  cascadeFinalizer,
  discriminatorPattern,
  dnsSubdomainPattern,
  groupOf,
  kindPattern,
  nilUid,
  parseUid,
  resourceName,
  versionNamePattern,
} from './model/names.ts';
export {
  controllerAnnotation,
  maxRowsAbove,
  type OwnerReference,
  ownerGraphTooLarge,
  ownerReference,
} from './model/owner-reference.ts';
export { type CollectionPath, canonicalPath, parsePath, segmentOf, type TargetForm } from './model/path.ts';
export { type RemovedResource, restoredFromAnnotation } from './model/removed-resource.ts';
export { createBody, finalizersBody, replaceBody, restoreBody, statusBody } from './model/request-bodies.ts';
export {
  clientMetadataOf,
  createdResource,
  identityOf,
  type JsonText,
  type Resource,
  type ResourceIdentity,
} from './model/resource.ts';
export {
  keptAnswerContext,
  openSpec,
  readableSpec,
  sealedMemberIn,
  sealedValueContext,
  withoutMember,
} from './model/sealed-spec.ts';
export {
  isInScope,
  matchesName,
  maySearch,
  type SearchAccess,
  type SearchedNames,
  type SearchPosition,
  type SearchScope,
} from './model/search.ts';
export {
  ancestorPath,
  anyName,
  type DeletionPosition,
  isAcrossParents,
  isSelected,
  maxPathLength,
  type PagePosition,
  positionOf,
  type Selection,
} from './model/selection.ts';
export { SelectorFault } from './model/selector-fault.ts';
export {
  type SubscriptionSelector,
  type SubscriptionSpec,
  selectorOf,
  subscriptionSpec,
} from './model/subscription-spec.ts';
export {
  ancestorMissing,
  type CollectionRef,
  type CollectionTarget,
  type ItemTarget,
  notFound,
  type PathRef,
  type PathStep,
  type ResolvedTarget,
  type ResourceRef,
  resolveTarget,
  type UidRef,
} from './model/target.ts';
export type { AccessFacts, Lineage } from './ports/access-facts.ts';
export type { AnsweredRequests, KeptAnswer, RequestState } from './ports/answered-requests.ts';
export type { AuditLog, AuditMessage, AuditRecord, CascadeReason } from './ports/audit-log.ts';
export {
  type DefinitionFacts,
  type DefinitionSource,
  type LoadedDefinitions,
  StaleDefinitions,
} from './ports/definitions.ts';
export { type DeletionPlans, planRetentionMs, type StoredPlan } from './ports/deletion-plans.ts';
export type { DeletionReader, GraphBounds } from './ports/deletion-reader.ts';
export type { RemovedResources } from './ports/removed-resources.ts';
export type { HistoryEntry, ResourceHistory } from './ports/resource-history.ts';
export type {
  Blocker,
  BlockerReport,
  Page,
  PlacedRow,
  Reach,
  ResourceReader,
  SearchPage,
  SelectedPage,
} from './ports/resource-reader.ts';
export {
  type Attributed,
  type CreateCommand,
  type CreateOutcome,
  type FinalizersCommand,
  type Identifiers,
  type LeafCommand,
  type LeafOutcome,
  maxStatusBytes,
  type ReplaceCommand,
  type ReplaceOutcome,
  type ResourceWriter,
  type StatusCommand,
  type SubresourceOutcome,
} from './ports/resource-writer.ts';
export type { SchemaValidator, ValidatedObject } from './ports/schema-validator.ts';
export type {
  Cascade,
  DeletionSteps,
  LockedResource,
  OrganizationFacts,
  Transaction,
  Transactions,
} from './ports/transactions.ts';
export { accessDenied } from './rules/access.ts';
export { allOf } from './rules/all-faults.ts';
export {
  keyToken,
  numbersToken,
  parseKey,
  parseName,
  parseNumbers,
} from './rules/continue-token.ts';
export { type CollectionDecision, decideCollection } from './rules/decide-deletion.ts';
export type { Remedy } from './rules/find-remedy.ts';
export { diffJson } from './rules/json-diff.ts';
export { isLiveOwner, ownerMissing } from './rules/owner-references.ts';
export { historyLimit, listLimit, parseLimit, pendingDeletionLimit } from './rules/page-limit.ts';
export { parseSelectors, type Selectors } from './rules/parse-selectors.ts';
export { type Patch, type PatchFormat, readPatch } from './rules/patch-document.ts';
export type { Holder, PlannedResource } from './rules/plan-deletion.ts';
export { revisionConflict } from './rules/prepare-replace.ts';
export { requireValid } from './rules/validate-body.ts';
export { answerIn, answerOnce, type IdempotencyKey } from './usecases/answer-once.ts';
export { type AppliedBefore, type ApplyRequest, applyResource } from './usecases/apply.ts';
export { type RequireUse, runBound } from './usecases/authorize.ts';
export {
  type AnsweredResource,
  requireMayStillRead,
  requireMayStillRestore,
} from './usecases/authorize-repeat.ts';
export { requireMayRestore } from './usecases/authorize-restore.ts';
export { bootstrapDefaultOrganization } from './usecases/bootstrap.ts';
export { createBootstrapRoles } from './usecases/bootstrap-roles.ts';
export {
  needsNoBinding,
  refusalOfPath,
  requireAnyBinding,
  requireSomeRule,
  requireSomeUse,
} from './usecases/caller-access.ts';
export { changeFinalizers } from './usecases/change-finalizers.ts';
export {
  type AccessQuestion,
  type AccessReason,
  type AskedCollectionPath,
  allowedSubjects,
  checkAccess,
} from './usecases/check-access.ts';
export { createResource } from './usecases/create.ts';
export { DefinitionCatalog } from './usecases/definition-catalog.ts';
export { type DefinitionImpact, impactOfDefinition } from './usecases/definition-impact.ts';
export { type Deletion, deleteResource } from './usecases/delete.ts';
export { planResourceDeletion } from './usecases/deletion-plan.ts';
export { type ExplainedCause, type Explanation, explainResource, type Relative } from './usecases/explain.ts';
export { type HistoryPage, listRemoved, readHistory, readRevision } from './usecases/history.ts';
export {
  callerIdentity,
  type Identity,
  withAccess,
  withConfirmedAccess,
  withConfirmedRules,
} from './usecases/identify-caller.ts';
export { patchResource } from './usecases/patch.ts';
export {
  explainBlockers,
  listPendingDeletion,
  listResources,
  type ResourcePage,
  readItem,
} from './usecases/read.ts';
export { replaceResource } from './usecases/replace.ts';
export type { ConditionalRequest, RequestOrigin, ResourcePorts } from './usecases/request.ts';
export { type Restored, restoreResource } from './usecases/restore.ts';
export { shownTo } from './usecases/sealed.ts';
export { parseSearch, searchResources } from './usecases/search.ts';
export type { ManagedStatus } from './usecases/status-managers.ts';
export { dryRun, inTransaction, type Work } from './usecases/unit-of-work.ts';
export { inPresentScopes } from './usecases/visibility.ts';
export { requireWatchable } from './usecases/watchable.ts';
export { applyStatus, patchStatus, replaceStatus, type SlotCheck } from './usecases/write-status.ts';
