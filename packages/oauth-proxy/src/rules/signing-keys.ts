import type { SharedSigningKey, StoredSigningKey } from '../model/signing-key.ts';

const DAY_MS = 24 * 60 * 60_000;

/** The life of a signing key, in milliseconds. */
export const signingKeyLife = {
  /** A successor is made when the newest key has this age. */
  rotateMs: 90 * DAY_MS,
  /** A new key is published for so long before it signs: clients keep key sets for hours. */
  announceMs: DAY_MS,
  /** A key is published for so long after its successor was made: nobody's ID tokens live longer. */
  retireMs: 30 * DAY_MS,
} as const;

/** What to do with the stored keys at a moment. */
export interface SigningKeyPlan {
  /** The key that signs now; null when there is none yet. */
  readonly signing: StoredSigningKey | null;
  /** Whether that is a shared one. */
  readonly signsShared: boolean;
  readonly published: readonly StoredSigningKey[];
  /** The sequence of the key to make now; null when none is due. */
  readonly due: number | null;
  /** Keys with a lower sequence are of no use any more. */
  readonly removeBelow: number;
}

/**
 * Decides which of the keys of an extension signs, which are published and whether a new one is due. `keys` are all stored
 * ones, newest first; `usable` says of which the private part can be opened with the configured encryption keys.
 *
 * A shared key of an earlier release signs until the extension's first own key is announced, for one announcement at most: replicas
 * of that release, and clients that keep key sets, do not know the own key yet.
 */
export function planSigningKeys(
  keys: readonly StoredSigningKey[],
  usable: (key: StoredSigningKey) => boolean,
  now: number,
  shared: readonly SharedSigningKey[] = [],
): SigningKeyPlan {
  const candidates = keys.filter(usable);
  const announced = candidates.find((key) => now - key.createdAt >= signingKeyLife.announceMs);
  // The very first key signs at once, and so does one whose predecessors cannot be opened: there is no other.
  const own = announced ?? candidates.at(-1) ?? null;
  const predecessor = shared.find((key) => usable(key) && now - key.retiredAt < signingKeyLife.announceMs);
  const signsShared = announced === undefined && predecessor !== undefined;
  const newest = candidates[0];
  const outdated = newest === undefined || now - newest.createdAt >= signingKeyLife.rotateMs;
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
