import ipaddr from 'ipaddr.js';

/** Global unicast, the only IPv6 space that is routed on the internet (RFC 4291 section 2.4, IANA). */
const globalUnicast: [ipaddr.IPv6, number] = [ipaddr.IPv6.parse('2000::'), 3];

/** Addresses within the public ranges that are refused as well; `ipaddr.js` does not know them. */
const refusedIpv4: readonly [ipaddr.IPv4, number][] = [
  // The host agent of Azure, which provides certificates and credentials.
  [ipaddr.IPv4.parse('168.63.129.16'), 32],
];
const refusedIpv6: readonly [ipaddr.IPv6, number][] = [
  // Documentation (RFC 9637).
  [ipaddr.IPv6.parse('3fff::'), 20],
];

/**
 * Whether an address belongs to the public internet, so that a tenant may choose it. All others are refused: private, loopback,
 * link-local (metadata services), carrier-grade NAT, multicast, reserved, documentation, and every IPv6 form with an embedded IPv4
 * address (mapped, compatible, NAT64, 6to4, Teredo, ISATAP). Texts that are not plain addresses are refused as well.
 */
export function isPublicAddress(address: string): boolean {
  // Attack: a zone (`fe80::1%eth0`), or a form that only some parsers accept (`0177.0.0.1`).
  if (!ipaddr.IPv4.isValidFourPartDecimal(address) && !ipaddr.IPv6.isValid(address)) return false;
  if (address.includes('%')) return false;
  const parsed = ipaddr.parse(address);
  // `unicast` means that the address is in no special range.
  if (parsed.range() !== 'unicast') return false;
  if (parsed instanceof ipaddr.IPv4) return !refusedIpv4.some((range) => parsed.match(range));
  const ipv6 = parsed as ipaddr.IPv6;
  return ipv6.match(globalUnicast) && !isIsatap(ipv6) && !refusedIpv6.some((range) => ipv6.match(range));
}

/** Whether the interface identifier is `[02]00:5efe:<IPv4 address>` (RFC 5214, section 6.1), with any prefix. */
function isIsatap({ parts }: ipaddr.IPv6): boolean {
  const [high = 0, low = 0] = parts.slice(4, 6);
  return (high & 0xfdff) === 0 && low === 0x5efe;
}
