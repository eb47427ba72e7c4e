export { createProviderDocuments, type ProviderDocuments } from './documents/provider-documents.ts';
export { createJwksKeys } from './issuers/jwks-keys.ts';
export { createIdentityProvider } from './login/identity-provider.ts';
export { createLogoutTokenVerifier } from './login/logout-token.ts';
export { createUpstream } from './upstream/upstream.ts';
