export { createIdTokenSigner } from './id-token-signer.ts';
export { createIdentifiers, nodeRandomBytes } from './identifiers.ts';
export { createJsonWebTokens } from './json-web-tokens.ts';
export { createRsaKeyRing } from './rsa-keys.ts';
export { createSealer, type EncryptionKey } from './sealer.ts';
export { readSigningSecret } from './secret.ts';
export { createWebhookSigner } from './webhook-signer.ts';
