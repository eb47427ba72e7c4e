export {
  type SealedKind,
  type SealedPlace,
  type SealedValue,
  sealedKindNames,
} from './model/sealed-value.ts';
export type { KeyName, KeyPurpose, KnownKey, KnownKeyStore } from './ports/known-key-store.ts';
export type {
  Ages,
  CredentialEnds,
  SealedPage,
  SealedValueStore,
  SecretAges,
} from './ports/sealed-value-store.ts';
export { countKeyUses, type KeyUse } from './usecases/count-key-uses.ts';
export { type ResealCounts, reseal } from './usecases/reseal.ts';
