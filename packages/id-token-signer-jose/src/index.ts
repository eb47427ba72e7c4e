export { createIdTokenSigner, type SignerOptions } from './signer.ts';
