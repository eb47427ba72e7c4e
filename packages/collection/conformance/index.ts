export { describeCollection } from './describe-collection.ts';
export { type CollectorHarness, harness, sharedLease } from './harness.ts';
export type { CollectionUnderTest } from './suite.ts';
