import { isIPv4 } from 'node:net';

/** The ranges of `server.trusted_proxies` as Express takes them: it refuses a prefix of 0, so those are given as two halves. */
export function trustRanges(cidrs: readonly string[]): string[] {
  return cidrs.flatMap((cidr) => {
    if (!cidr.endsWith('/0')) return [cidr];
    return isIPv4(cidr.slice(0, -2)) ? ['0.0.0.0/1', '128.0.0.0/1'] : ['::/1', '8000::/1'];
  });
}
