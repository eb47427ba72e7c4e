export * from './extension-directory.ts';
export * from './id-token-signer.ts';
export * from './rate-limiter.ts';
export * from './signing-key-store.ts';
export * from './upstream.ts';
