export { createIdentifiers, nodeRandomBytes } from './identifiers.ts';
export { createSealer, type EncryptionKey } from './sealer.ts';
