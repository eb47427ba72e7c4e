import type { SharedSigningKey, StoredSigningKey } from '../model/signing-key.ts';

const dayMs = 24 * 60 * 60_000;

/** The lifetime of a signing key, in milliseconds. */
export const signingKeyLife = {
  /** The age of the newest key at which its successor is created. */
  rotateMs: 90 * dayMs,
  /** How long a new key is published before it signs: clients cache key sets for hours. */
  announceMs: dayMs,
  /** How long a key is published after the creation of its successor: longer than ID tokens are valid. */
  retireMs: 30 * dayMs,
} as const;

/** The use of the stored keys at a point in time. */
export interface SigningKeyPlan {
  /** The key that signs now; null before the first key. */
  readonly signing: StoredSigningKey | null;
  /** Whether the signing key is a shared one. */
  readonly signsShared: boolean;
  readonly published: readonly StoredSigningKey[];
  /** The sequence of the key to create now; null when none is due. */
  readonly due: number | null;
  /** Keys with a lower sequence are no longer needed. */
  readonly removeBelow: number;
}

/**
 * Decides which key of an extension signs, which keys are published and whether a new key is due. `keys` are all stored keys,
 * newest first; `usable` tells whether the private part of a key can be opened with the configured encryption keys.
 *
 * A shared key of an earlier release signs until the extension's first own key is announced, for one announcement at most: replicas
 * of that release, and clients that cache key sets, do not know the own key yet.
 */
export function planSigningKeys(
  keys: readonly StoredSigningKey[],
  usable: (key: StoredSigningKey) => boolean,
  now: number,
  shared: readonly SharedSigningKey[] = [],
): SigningKeyPlan {
  const candidates = keys.filter(usable);
  const announced = candidates.find((key) => now - key.createdAt >= signingKeyLife.announceMs);
  // The first key signs at once, as does a key whose predecessors cannot be opened: there is no other.
  const own = announced ?? candidates.at(-1) ?? null;
  const predecessor = shared.find((key) => usable(key) && now - key.retiredAt < signingKeyLife.announceMs);
  const signsShared = announced === undefined && predecessor !== undefined;
  const newest = candidates[0];
  const age = newest === undefined ? Number.POSITIVE_INFINITY : now - newest.createdAt;
  // Accident: a replica whose clock is a year ahead makes a key, and no key follows for a year.
  const outdated = age >= signingKeyLife.rotateMs || age < -signingKeyLife.announceMs;
  const published = keys.filter((_key, index) => {
    const successor = keys[index - 1];
    return successor === undefined || now - successor.createdAt < signingKeyLife.retireMs;
  });
  const inCirculation = shared.filter((key) => now - key.retiredAt < signingKeyLife.retireMs);
  return {
    signing: signsShared ? predecessor : own,
    signsShared,
    published: [...published, ...inCirculation],
    due: outdated ? (keys[0]?.sequence ?? 0) + 1 : null,
    removeBelow: published.at(-1)?.sequence ?? 0,
  };
}
