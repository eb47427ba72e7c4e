export { describeFlowStore } from './flow-store.ts';
export { createMemoryFlowStore } from './memory-flow-store.ts';
