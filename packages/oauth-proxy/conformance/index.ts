export { createMemorySigningKeyStore } from './memory-signing-key-store.ts';
export { describeSigningKeyStore, signingExtensions } from './signing-key-store.ts';
