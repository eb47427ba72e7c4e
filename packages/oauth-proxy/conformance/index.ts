export { describeFlowStore } from './flow-store.ts';
export { createMemoryFlowStore } from './memory-flow-store.ts';
export { createMemorySigningKeyStore } from './memory-signing-key-store.ts';
export { describeSigningKeyStore, signingExtensions } from './signing-key-store.ts';
