export { createJwksKeys } from './issuers/jwks-keys.ts';
export { createIdentityProvider } from './login/identity-provider.ts';
export { createUpstream } from './upstream/upstream.ts';
