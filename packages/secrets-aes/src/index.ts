export { createSealer, type EncryptionKey, encryptionKeyFaults } from './sealer.ts';
