import type { KeyRing } from '@platform/kernel';
import { type SealedKind, type SealedValue, sealedKindNames, sealedKinds } from '../model/sealed-value.ts';
import type { SealedValueStore } from '../ports/sealed-value-store.ts';

/** Rows that are read at once. Each value is then written by a statement of its own, so no lock is held longer than that. */
const pageSize = 200;

/** Counts of the sealed values of one kind. */
export interface ResealCounts {
  readonly kind: SealedKind;
  /** Sealed with the first key already. */
  readonly current: number;
  /** Sealed with the first key by this run; in a dry run, the number that a run would seal. */
  readonly resealed: number;
  /** Deleted or replaced by the service between read and write of this run. The service seals new values with its first key. */
  readonly changed: number;
  /** No configured key opens them. */
  readonly unreadable: number;
}

/** The dependencies of resealing. */
export interface ResealDeps {
  readonly store: SealedValueStore;
  readonly keyRing: KeyRing;
}

/**
 * Seals every stored value with the first key that is sealed with another one. Values are replaced one by one and only while they are
 * unchanged, so it may run while the service runs, be stopped at any moment, and be run again.
 */
export async function reseal(deps: ResealDeps, { dryRun }: { readonly dryRun: boolean }) {
  const counts: ResealCounts[] = [];
  for (const kind of sealedKindNames) counts.push(await resealKind(deps, kind, dryRun));
  return counts;
}

async function resealKind(deps: ResealDeps, kind: SealedKind, dryRun: boolean): Promise<ResealCounts> {
  const counts = { current: 0, resealed: 0, changed: 0, unreadable: 0 };
  let after: string | null = null;
  do {
    const page = await deps.store.page(kind, after, pageSize);
    for (const value of page.values) counts[await resealValue(deps, kind, value, dryRun)] += 1;
    after = page.last;
  } while (after !== null);
  return { kind, ...counts };
}

async function resealValue(
  { store, keyRing }: ResealDeps,
  kind: SealedKind,
  value: SealedValue,
  dryRun: boolean,
): Promise<'current' | 'resealed' | 'changed' | 'unreadable'> {
  for (const context of sealedKinds[kind](value)) {
    const plaintext = keyRing.unseal(value.sealed, context);
    if (plaintext === null) continue;
    if (keyRing.keyOf(value.sealed) === keyRing.currentKey) return 'current';
    if (dryRun) return 'resealed';
    const replaced = await store.replace(kind, value, keyRing.seal(plaintext, context));
    return replaced ? 'resealed' : 'changed';
  }
  return 'unreadable';
}
