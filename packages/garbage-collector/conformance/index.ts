export { describeGarbageCollector } from './describe-garbage-collector.ts';
export { type CollectorHarness, harness, sharedLease } from './harness.ts';
export type { GarbageCollectorStoreUnderTest } from './suite.ts';
