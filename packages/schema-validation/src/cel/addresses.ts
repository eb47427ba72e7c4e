import { isIP } from 'node:net';
import type { Environment } from '@marcbachmann/cel-js';
import ipaddr from 'ipaddr.js';

/** An IP address. Rules accept none with a zone, and no IPv4 address in the form of IPv6. */
class Ip {
  readonly bytes: readonly number[];
  readonly text: string;

  /** Throws for any other text. */
  constructor(text: string) {
    if (isIP(text) === 0 || text.includes('%')) throw new Error(`not an IP address: ${text.slice(0, 64)}`);
    const parsed = ipaddr.parse(text);
    if (parsed instanceof ipaddr.IPv6 && parsed.isIPv4MappedAddress())
      throw new Error('IPv4 addresses in the form of IPv6 are not allowed');
    this.bytes = parsed.toByteArray();
    this.text = parsed instanceof ipaddr.IPv6 ? parsed.toRFC5952String() : parsed.toString();
  }

  get family(): 4 | 6 {
    return this.bytes.length === 4 ? 4 : 6;
  }

  /** Whether the first bits are those of the address. */
  isIn(address: Ip, bits: number): boolean {
    if (this.bytes.length !== address.bytes.length) return false;
    return this.bytes.every((byte, index) => {
      const left = Math.min(8, Math.max(0, bits - index * 8));
      const mask = 256 - 2 ** (8 - left);
      return (byte & mask) === ((address.bytes[index] ?? 0) & mask);
    });
  }

  isInOneOf(ranges: readonly string[]): boolean {
    return ranges.some((range) => {
      const { ip, bits } = new Cidr(range);
      return this.isIn(ip, bits);
    });
  }
}

/** A range of addresses; the address may have bits beyond the prefix. */
class Cidr {
  readonly ip: Ip;
  readonly bits: number;

  /** Throws for any other text. */
  constructor(text: string) {
    const [address = '', prefix = '', ...rest] = text.split('/');
    this.ip = new Ip(address);
    this.bits = /^(?:0|[1-9]\d{0,2})$/.test(prefix) ? Number(prefix) : Number.NaN;
    if (!(this.bits <= this.ip.bytes.length * 8) || rest.length > 0)
      throw new Error(`not a range of IP addresses: ${text.slice(0, 64)}`);
  }

  get text(): string {
    return `${this.ip.text}/${this.bits}`;
  }

  get masked(): Cidr {
    const { network } =
      this.ip.family === 4
        ? { network: ipaddr.IPv4.networkAddressFromCIDR(this.text) }
        : { network: ipaddr.IPv6.networkAddressFromCIDR(this.text) };
    return new Cidr(`${network.toString()}/${this.bits}`);
  }
}

const ranges = {
  isUnspecified: ['0.0.0.0/32', '::/128'],
  isLoopback: ['127.0.0.0/8', '::1/128'],
  isLinkLocalMulticast: ['224.0.0.0/24', 'ff02::/16'],
  isLinkLocalUnicast: ['169.254.0.0/16', 'fe80::/10'],
} as const;
const notGlobal = [
  ...[...ranges.isUnspecified, ...ranges.isLoopback, ...ranges.isLinkLocalUnicast],
  ...['224.0.0.0/4', 'ff00::/8', '255.255.255.255/32'],
];

/** The name that `ip.isCanonical` is below. */
class IpFunctions {}

/** Adds the functions for addresses and their ranges. */
export function registerAddresses(environment: Environment): void {
  const is = (make: (text: string) => unknown) => (text: string) => {
    try {
      make(text);
      return true;
    } catch {
      return false;
    }
  };
  const [ip, cidr, names] = ['net.IP', 'net.CIDR', 'kubernetes.IPFunctions'];
  environment
    .registerType(ip, { ctor: Ip, fields: {} })
    .registerType(cidr, { ctor: Cidr, fields: {} })
    .registerType(names, { ctor: IpFunctions, fields: {} })
    .registerConstant('ip', names, new IpFunctions())
    .registerOperator(`${ip} == ${ip}`, (a: Ip, b: Ip) => a.text === b.text)
    .registerOperator(`${cidr} == ${cidr}`, (a: Cidr, b: Cidr) => a.text === b.text)
    .registerFunction(`ip(string): ${ip}`, (text: string) => new Ip(text))
    .registerFunction(`cidr(string): ${cidr}`, (text: string) => new Cidr(text))
    .registerFunction(
      'isIP(string): bool',
      is((text) => new Ip(text)),
    )
    .registerFunction(
      'isCIDR(string): bool',
      is((text) => new Cidr(text)),
    )
    .registerFunction(
      `${names}.isCanonical(string): bool`,
      (_: IpFunctions, text: string) => new Ip(text).text === text,
    )
    .registerFunction(`string(${ip}): string`, ({ text }: Ip) => text)
    .registerFunction(`${ip}.family(): int`, ({ family }: Ip) => BigInt(family))
    .registerFunction(`${ip}.isGlobalUnicast(): bool`, (address: Ip) => !address.isInOneOf(notGlobal))
    .registerFunction(`string(${cidr}): string`, ({ text }: Cidr) => text)
    .registerFunction(`${cidr}.ip(): ${ip}`, (range: Cidr) => range.ip)
    .registerFunction(`${cidr}.masked(): ${cidr}`, ({ masked }: Cidr) => masked)
    .registerFunction(`${cidr}.prefixLength(): int`, ({ bits }: Cidr) => BigInt(bits));
  for (const [name, within] of Object.entries(ranges))
    environment.registerFunction(`${ip}.${name}(): bool`, (address: Ip) => address.isInOneOf(within));
  const hasIp = (range: Cidr, address: Ip) => address.isIn(range.ip, range.bits);
  const hasCidr = (range: Cidr, other: Cidr) => range.bits <= other.bits && hasIp(range, other.ip);
  environment
    .registerFunction(`${cidr}.containsIP(${ip}): bool`, hasIp)
    .registerFunction(`${cidr}.containsIP(string): bool`, (range: Cidr, text: string) =>
      hasIp(range, new Ip(text)),
    )
    .registerFunction(`${cidr}.containsCIDR(${cidr}): bool`, hasCidr)
    .registerFunction(`${cidr}.containsCIDR(string): bool`, (range: Cidr, text: string) =>
      hasCidr(range, new Cidr(text)),
    );
}
