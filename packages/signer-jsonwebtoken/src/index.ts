export { createJsonWebTokens, type JsonWebTokenKeys } from './json-web-tokens.ts';
export {
  createRsaKeyRing,
  type PublishedKey,
  type RsaKeyConfig,
  type RsaKeyRing,
  rsaKeyFaults,
} from './rsa-keys.ts';
export { fingerprint, readSigningSecret } from './secret.ts';
