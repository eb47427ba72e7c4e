import { OAuthError, secretHash } from '@platform/kernel';
import { readDeviceGrant } from '../model/login-transaction.ts';
import { deviceGrantContext } from './confirm-device.ts';
import { type CodeExchangeResponse, issueNativeSession } from './issue-native-session.ts';
import { findCode } from './one-time-codes.ts';
import type { LoginPorts } from './ports.ts';

/** The grant type of devices (RFC 8628 section 3.4). */
export const deviceGrantType = 'urn:ietf:params:oauth:grant-type:device_code';

/**
 * Answers the poll of a device. The record is consumed after all checks have passed; exactly one of concurrent polls gets the
 * session. Throws {@link OAuthError}, also while the user has not answered (RFC 8628 section 3.5).
 */
export async function exchangeDeviceCode(
  ports: LoginPorts,
  deviceCode: string,
  userAgent: string,
): Promise<CodeExchangeResponse> {
  const hash = secretHash(deviceCode);
  const now = ports.clock.now();
  const found = await ports.devices.find(hash);
  if (found === null) throw invalidDeviceCode();
  if (found.expiresAt <= now)
    throw new OAuthError('expired_token', 'The device code has expired; start again');
  switch (found.state) {
    case 'denied':
      // A token endpoint answers 400 (RFC 6749 section 5.2).
      throw new OAuthError('access_denied', 'The login was not confirmed', { status: 400 });
    case 'pending': {
      // Attack: a device polls as fast as it can, and keeps the database from answering others.
      if (await ports.devices.poll(hash, now)) {
        throw new OAuthError('authorization_pending', 'The user has not confirmed the login yet');
      }
      throw new OAuthError('slow_down', 'Wait five seconds longer between two requests');
    }
    case 'approved': {
      const code = await findCode(ports, deviceCode, deviceGrantContext, readDeviceGrant);
      if (code === null) throw invalidDeviceCode();
      if (!(await code.consume())) throw invalidDeviceCode();
      return await issueNativeSession(ports, code.record, { nonce: null, userAgent });
    }
  }
}

function invalidDeviceCode(): OAuthError {
  return new OAuthError('invalid_grant', 'Invalid device code');
}
