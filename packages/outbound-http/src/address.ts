import ipaddr from 'ipaddr.js';

/** Global unicast: the only IPv6 space that is routed on the internet (RFC 4291 section 2.4, IANA). */
const GLOBAL_UNICAST: [ipaddr.IPv6, number] = [ipaddr.IPv6.parse('2000::'), 3];

/** Inside the public ranges, yet not to be reached; `ipaddr.js` does not name them. */
const REFUSED_IPV4: readonly [ipaddr.IPv4, number][] = [
  // Azure's host agent, which hands out certificates and credentials.
  [ipaddr.IPv4.parse('168.63.129.16'), 32],
];
const REFUSED_IPV6: readonly [ipaddr.IPv6, number][] = [
  // Documentation (RFC 9637).
  [ipaddr.IPv6.parse('3fff::'), 20],
];

/**
 * Whether an address is one of the public internet, so that a request that a tenant chose may be sent to it.
 * Everything else is refused: private, loopback, link-local (metadata services), carrier-grade NAT, multicast,
 * reserved, documentation, and every IPv6 form that carries an IPv4 address inside (mapped, compatible, NAT64,
 * 6to4, Teredo, ISATAP), because what it carries may be any of the former. What is not a plain address is refused too.
 */
export function isPublicAddress(address: string): boolean {
  // Attack: a zone (`fe80::1%eth0`) or a form that only some parsers read (`0177.0.0.1`).
  if (!ipaddr.IPv4.isValidFourPartDecimal(address) && !ipaddr.IPv6.isValid(address)) return false;
  if (address.includes('%')) return false;
  const parsed = ipaddr.parse(address);
  // `unicast` is what remains when no special range claims the address.
  if (parsed.range() !== 'unicast') return false;
  if (parsed instanceof ipaddr.IPv4) return !REFUSED_IPV4.some((range) => parsed.match(range));
  const ipv6 = parsed as ipaddr.IPv6;
  return ipv6.match(GLOBAL_UNICAST) && !isIsatap(ipv6) && !REFUSED_IPV6.some((range) => ipv6.match(range));
}

/** Whether the interface identifier is `[02]00:5efe:<IPv4 address>` (RFC 5214, section 6.1), below whatever prefix. */
function isIsatap({ parts }: ipaddr.IPv6): boolean {
  const [high = 0, low = 0] = parts.slice(4, 6);
  return (high & 0xfdff) === 0 && low === 0x5efe;
}
