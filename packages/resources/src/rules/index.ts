export { createdResource } from './created-resource.ts';
export {
  type CollectionDecision,
  type DeletionDecision,
  type DeletionFacts,
  decideCollection,
  decideDeletion,
} from './decide-deletion.ts';
export {
  continueToken,
  type LimitRule,
  listLimit,
  parseContinue,
  parseLimit,
  pendingDeletionLimit,
} from './paging.ts';
export { resolveTarget } from './resolve-target.ts';
export { requireValid } from './validate-body.ts';
