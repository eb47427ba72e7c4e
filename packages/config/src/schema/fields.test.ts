import { faultsOf } from '../../test/configuration.ts';

it.each([
  ['192.0.2.1', true],
  ['192.0.2.1:5353', true],
  ['[2001:db8::1]', true],
  ['[2001:db8::1]:53', true],
  ['999.0.2.1', false],
  ['192.0.2.1:0', false],
  ['192.0.2.1:65536', false],
  ['[192.0.2.1]', false],
  ['[:::]:53', false],
  ['2001:db8::1', false],
  ['ns.example', false],
])('outbound.dns_servers with %s is %s', (address, good) => {
  const fault = 'outbound.dns_servers[0]: must be an IP address, [IPv6] in brackets, perhaps with :port';
  expect(faultsOf({ outbound: { dns_servers: [address] } })).toEqual(good ? [] : [fault]);
});
