import type { Jwk } from '../model/upstream-metadata.ts';

/** The public members of each key type (RFC 7518 section 6, RFC 8037 section 2). Other key types are not published. */
const publicMembers: Readonly<Record<string, readonly string[]>> = {
  RSA: ['n', 'e'],
  EC: ['crv', 'x', 'y'],
  OKP: ['crv', 'x'],
};
const commonMembers = ['kty', 'use', 'key_ops', 'alg', 'kid', 'x5c', 'x5t', 'x5t#S256', 'x5u'];

/**
 * The key set of an extension: the proxy's keys, then all keys of the upstream.
 *
 * Attack: clients would use an upstream key with the key id of one of our keys for our tokens. Our key takes precedence and the
 * other is omitted. Attack: a provider publishes a private or symmetric key by mistake, and the proxy would publish it too. Only
 * public members of public keys are copied.
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
    typeof kind === 'string' && Object.hasOwn(publicMembers, kind) ? publicMembers[kind] : undefined;
  if (members === undefined || members.some((member) => typeof key[member] !== 'string')) return null;
  const kept = [...commonMembers, ...members].filter((member) => Object.hasOwn(key, member));
  return Object.fromEntries(kept.map((member) => [member, key[member]]));
}
