export { createIdentityProvider, type IdentityProviderOptions } from './identity-provider.ts';
