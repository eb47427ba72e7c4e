import { describeFlowStore } from './flow-store.ts';
import { createMemoryFlowStore } from './memory-flow-store.ts';

describe('the flow store on maps', () => {
  describeFlowStore(async () => createMemoryFlowStore());
});
