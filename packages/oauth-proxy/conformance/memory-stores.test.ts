import {
  createMemoryFlowStore,
  createMemorySigningKeyStore,
  describeFlowStore,
  describeSigningKeyStore,
} from './index.ts';

describe('the flow store on maps', () => {
  describeFlowStore(async () => createMemoryFlowStore());
});

describe('the signing key store on a map', () => {
  describeSigningKeyStore(async () => createMemorySigningKeyStore());
});
