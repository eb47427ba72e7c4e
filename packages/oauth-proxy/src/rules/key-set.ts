import type { Jwk } from '../model/upstream-metadata.ts';

/** The public members of each kind of key (RFC 7518 section 6, RFC 8037 section 2). A kind that is not here is not published. */
const PUBLIC_MEMBERS: Readonly<Record<string, readonly string[]>> = {
  RSA: ['n', 'e'],
  EC: ['crv', 'x', 'y'],
  OKP: ['crv', 'x'],
};
const COMMON_MEMBERS = ['kty', 'use', 'key_ops', 'alg', 'kid', 'x5c', 'x5t', 'x5t#S256', 'x5u'];

/**
 * The key set of an extension: the proxy's keys, then every upstream key.
 *
 * Attack: an upstream key with the key id of one of ours would be tried on the tokens that we signed, or ours on
 * theirs. Ours wins, and the other one is left out. Attack: a provider that publishes a private or symmetric key by
 * mistake would have it published by us as well; only public members of public keys are copied.
 */
export function keySet(own: readonly Jwk[], upstream: readonly Jwk[]): { readonly keys: readonly Jwk[] } {
  const ownIds = new Set(own.map((key) => key['kid']));
  const foreign = upstream
    .filter((key) => !ownIds.has(key['kid']))
    .map(publicPart)
    .filter((key) => key !== null);
  return { keys: [...own, ...foreign] };
}

function publicPart(key: Jwk): Jwk | null {
  const kind = key['kty'];
  const members =
    typeof kind === 'string' && Object.hasOwn(PUBLIC_MEMBERS, kind) ? PUBLIC_MEMBERS[kind] : undefined;
  if (members === undefined || members.some((member) => typeof key[member] !== 'string')) return null;
  const kept = [...COMMON_MEMBERS, ...members].filter((member) => Object.hasOwn(key, member));
  return Object.fromEntries(kept.map((member) => [member, key[member]]));
}
