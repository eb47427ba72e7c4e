export { createFlowStore } from './flow-store.ts';
export { createSigningKeyStore } from './signing-key-store.ts';
