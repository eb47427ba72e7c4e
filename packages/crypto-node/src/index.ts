export { createIdentifiers, nodeRandomBytes } from './identifiers.ts';
export { createSealer } from './sealer.ts';
