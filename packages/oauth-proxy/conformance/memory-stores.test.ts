import { createMemorySigningKeyStore, describeSigningKeyStore } from './index.ts';

describe('the signing key store on a map', () => {
  describeSigningKeyStore(async () => createMemorySigningKeyStore());
});
