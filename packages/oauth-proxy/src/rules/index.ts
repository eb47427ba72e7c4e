export * from './client-secret.ts';
export * from './cors.ts';
export * from './discovery-document.ts';
export * from './id-token-claims.ts';
export * from './key-set.ts';
export * from './parameters.ts';
export * from './redirect-uri.ts';
export * from './signing-keys.ts';
