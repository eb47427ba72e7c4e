import { PlatformError } from 'platform-service-client';
import { failureOf } from './failure-of.ts';

it('a certificate that is not trusted is no outage', () => {
  const detail = 'GET https://platform.test/x: unable to verify the first certificate';
  const { exit, message, hint } = failureOf(new PlatformError({ status: 0, code: 'unreachable', detail }));
  expect([exit, message, hint]).toEqual([
    'unavailable',
    'cannot reach https://platform.test: unable to verify the first certificate (unreachable)',
    'if its authority is your own, name the file with its certificate in NODE_EXTRA_CA_CERTS',
  ]);
});
