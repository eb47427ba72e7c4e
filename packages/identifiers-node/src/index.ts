export { createIdentifiers } from './identifiers.ts';
export { nodeRandomBytes } from './random-bytes.ts';
