export { type SealedKind, sealedKindNames } from './model/sealed-value.ts';
export type { KnownKey, KnownKeyStore } from './ports/known-key-store.ts';
export type { Ages, SealedValueStore, SecretAges } from './ports/sealed-value-store.ts';
export { countKeyUses, type KeyUse } from './usecases/count-key-uses.ts';
export { type ResealCounts, reseal } from './usecases/reseal.ts';
