import { isIP } from 'node:net';

/** An address to listen on. */
export interface ListenAddress {
  readonly host: string;
  readonly port: number;
}

/** Whether two listeners have the same address, however it is spelled. */
export function sameAddress(one: ListenAddress, other: ListenAddress): boolean {
  return one.port === other.port && canonical(one.host) === canonical(other.host);
}

/**
 * Whether the operating system refuses the second of two listeners. A wildcard address takes the port of every specific one: `[::]` of all,
 * `0.0.0.0` of IPv4 and of names, which usually stand for IPv4.
 */
export function listenersConflict(one: ListenAddress, other: ListenAddress): boolean {
  if (one.port !== other.port) return false;
  const hosts = [canonical(one.host), canonical(other.host)] as const;
  if (hosts[0] === hosts[1] || hosts.includes('::')) return true;
  return hosts.includes('0.0.0.0') && hosts.every((host) => isIP(host) !== 6);
}

/** An address in its shortest form; an IPv4 address within IPv6 as IPv4. */
function canonical(host: string): string {
  if (isIP(host) !== 6) return host.toLowerCase();
  const address = new URL(`http://[${host}]`).hostname.slice(1, -1);
  const [, high, low] = /^::ffff:([0-9a-f]+):([0-9a-f]+)$/.exec(address) ?? [];
  if (high === undefined || low === undefined) return address;
  const [first, second] = [Number.parseInt(high, 16), Number.parseInt(low, 16)];
  return [first >> 8, first & 255, second >> 8, second & 255].join('.');
}
