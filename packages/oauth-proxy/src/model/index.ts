export * from './diagnosis.ts';
export * from './environment.ts';
export * from './extension.ts';
export * from './extension-spec.ts';
export * from './flow.ts';
export * from './messages.ts';
export * from './signing-key.ts';
export * from './upstream-metadata.ts';
