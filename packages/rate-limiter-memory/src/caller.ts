import { isIPv6 } from 'node:net';

/**
 * Who an address counts as. Attack: a network of IPv6 has 2^64 addresses for one machine, so its first four groups count;
 * an IPv4 address that is written as IPv6 is the same caller as written plainly.
 */
export function callerOf(address: string): string {
  const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(address)?.[1];
  if (mapped !== undefined) return mapped;
  const bare = address.split('%')[0] ?? address;
  return isIPv6(bare) ? `${groups(bare).slice(0, 4).join(':')}::/64` : address;
}

/** The groups of an IPv6 address, written out. */
function groups(address: string): readonly string[] {
  const [head = '', tail] = address.toLowerCase().split('::');
  const before = head === '' ? [] : head.split(':');
  const after = tail === undefined || tail === '' ? [] : tail.split(':');
  const missing = tail === undefined ? 0 : Math.max(0, 8 - before.length - after.length);
  return [...before, ...Array<string>(missing).fill('0'), ...after].map((group) =>
    group.replace(/^0+(?=.)/, ''),
  );
}
