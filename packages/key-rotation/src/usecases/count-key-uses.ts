import type { KeyRing } from '@platform/kernel';
import { type SealedKind, sealedKindNames } from '../model/sealed-value.ts';
import type { SealedValueStore } from '../ports/sealed-value-store.ts';

const pageSize = 1_000;

/** How many sealed values of a kind use a key. */
export interface KeyUse {
  /** The id of the key; null for a text that is not sealed at all. */
  readonly key: string | null;
  readonly kind: SealedKind;
  readonly values: number;
}

/** Counts the stored sealed values by key and kind. Opens none of them, so it works without the keys. */
export async function countKeyUses(
  store: SealedValueStore,
  keyOf: KeyRing['keyOf'],
): Promise<readonly KeyUse[]> {
  const uses: KeyUse[] = [];
  for (const kind of sealedKindNames) {
    const counts = new Map<string | null, number>();
    let after: string | null = null;
    do {
      const page = await store.page(kind, after, pageSize);
      for (const { sealed } of page.values) counts.set(keyOf(sealed), (counts.get(keyOf(sealed)) ?? 0) + 1);
      after = page.last;
    } while (after !== null);
    for (const [key, values] of counts) uses.push({ key, kind, values });
  }
  return uses;
}
