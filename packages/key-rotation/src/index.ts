export {
  type SealedKind,
  type SealedPlace,
  type SealedValue,
  sealedKindNames,
} from './model/sealed-value.ts';
export type { SealedPage, SealedValueStore, SigningKeyAges } from './ports/sealed-value-store.ts';
export { countKeyUses, type KeyUse } from './usecases/count-key-uses.ts';
export { type ResealCounts, reseal } from './usecases/reseal.ts';
