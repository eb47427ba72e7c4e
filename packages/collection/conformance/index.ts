export { describeCollection } from './describe-collection.ts';
export { type CollectorHarness, harness } from './harness.ts';
export type { CollectionUnderTest } from './suite.ts';
