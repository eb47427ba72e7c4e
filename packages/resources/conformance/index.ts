export * from './builders.ts';
export { describeStore } from './describe-store.ts';
export { protectedMetadata } from './protection.ts';
export * from './steps.ts';
export type { Exceptions, StoreUnderTest } from './suite.ts';
