import { isPublicAddress } from './address.ts';

/** Every special range, with what an attacker would reach through it. */
const refused: readonly [string, string][] = [
  ['127.0.0.1', 'loopback'],
  ['127.255.255.254', 'the end of loopback'],
  ['0.0.0.0', 'this host'],
  ['10.0.0.1', 'private 10/8'],
  ['172.16.0.1', 'private 172.16/12'],
  ['172.31.255.255', 'the end of private 172.16/12'],
  ['192.168.1.1', 'private 192.168/16'],
  ['169.254.169.254', 'the metadata service of most clouds'],
  ['100.100.100.200', 'the metadata service of Alibaba Cloud'],
  ['192.0.0.192', 'the metadata service of Oracle Cloud'],
  ['168.63.129.16', 'the host agent of Azure'],
  ['100.64.0.1', 'carrier-grade NAT'],
  ['192.0.2.1', 'documentation'],
  ['198.18.0.1', 'benchmarking'],
  ['198.51.100.1', 'documentation'],
  ['203.0.113.1', 'documentation'],
  ['192.88.99.1', '6to4 relays'],
  ['224.0.0.1', 'multicast'],
  ['239.255.255.250', 'multicast (SSDP)'],
  ['240.0.0.1', 'reserved'],
  ['255.255.255.255', 'broadcast'],
  ['::', 'unspecified'],
  ['::1', 'loopback'],
  ['fe80::1', 'link-local'],
  ['fe80::1%lo', 'link-local with a zone'],
  ['2606:4700:4700::1111%lo', 'a public address with a zone'],
  ['fec0::1', 'site-local'],
  ['fc00::1', 'unique local'],
  ['fd00:ec2::254', 'the metadata service of AWS'],
  ['ff02::1', 'multicast'],
  ['::ffff:127.0.0.1', 'IPv4-mapped loopback'],
  ['::ffff:8.8.8.8', 'IPv4-mapped'],
  ['::ffff:0:127.0.0.1', 'IPv4-translated'],
  ['::127.0.0.1', 'IPv4-compatible'],
  ['64:ff9b::7f00:1', 'NAT64 of loopback'],
  ['64:ff9b::8.8.8.8', 'NAT64'],
  ['64:ff9b:1::7f00:1', 'local-use NAT64'],
  ['2002:7f00:1::', '6to4 of loopback'],
  ['2001:0:7f00:1::', 'Teredo'],
  ['2001:db8::1', 'documentation'],
  ['2606:4700::5efe:10.0.0.1', 'ISATAP below a public prefix'],
  ['2606:4700:0:1:200:5efe:7f00:1', 'ISATAP with the universal bit'],
  ['3fff::1', 'documentation'],
  ['100::1', 'discard'],
  ['5f00::1', 'segment routing'],
  ['4000::1', 'unassigned'],
  ['0177.0.0.1', 'octal loopback'],
  ['2130706433', 'loopback as one number'],
  ['0x7f.0.0.1', 'hexadecimal loopback'],
  ['localhost', 'a name'],
  ['', 'nothing'],
];

describe('isPublicAddress', () => {
  it.each(refused)('refuses %s (%s)', (address) => {
    expect(isPublicAddress(address)).toBe(false);
  });

  it.each(['8.8.8.8', '1.1.1.1', '172.15.255.255', '172.32.0.1', '100.63.255.255', '168.63.129.17'])(
    'lets the public address %s pass',
    (address) => {
      expect(isPublicAddress(address)).toBe(true);
    },
  );

  it.each(['2606:4700:4700::1111', '2a00:1450:4001:830::200e'])(
    'lets the public address %s pass',
    (address) => {
      expect(isPublicAddress(address)).toBe(true);
    },
  );
});
