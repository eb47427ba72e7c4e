export {
  type CollectionDecision,
  type DeletionDecision,
  type DeletionFacts,
  decideCollection,
  decideDeletion,
} from './decide-deletion.ts';
