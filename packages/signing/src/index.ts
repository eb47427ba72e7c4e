export { createIdTokenSigner } from './id-token-signer.ts';
export { createJsonWebTokens } from './json-web-tokens.ts';
export { createRsaKeyRing, type PublishedKey, type RsaKeyRing } from './rsa-keys.ts';
export { fingerprint, readSigningSecret } from './secret.ts';
