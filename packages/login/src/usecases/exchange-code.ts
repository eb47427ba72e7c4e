import { OAuthError, verifies } from '@platform/kernel';
import { nativeClientId, readCodeGrant } from '../model/login-transaction.ts';
import { deviceGrantType, exchangeDeviceCode } from './exchange-device-code.ts';
import { grantContext } from './issue-code.ts';
import { type CodeExchangeResponse, requireNotSignedOut, sessionFor } from './issue-native-session.ts';
import { findCode } from './one-time-codes.ts';
import type { LoginPorts } from './ports.ts';

/** The parameters of the code exchange (RFC 6749 section 4.1.3, RFC 7636 section 4.5, RFC 8628 section 3.4); any of them may be missing. */
export type CodeExchangeRequest = Readonly<
  Partial<
    Record<'grant_type' | 'code' | 'code_verifier' | 'redirect_uri' | 'client_id' | 'device_code', string>
  >
>;

/**
 * Redeems a native client's code, or answers the poll of a device (`POST /api/v1/auth/code/exchange`). The code is consumed after all checks have passed, so a
 * wrong verifier does not use it up; exactly one of concurrent redemptions succeeds. Throws {@link OAuthError}.
 */
export async function exchangeCode(
  ports: LoginPorts,
  request: CodeExchangeRequest,
  userAgent = '',
): Promise<CodeExchangeResponse> {
  const required = (name: keyof CodeExchangeRequest): string => {
    const value = request[name];
    if (value === undefined || value === '') throw new OAuthError('invalid_request', `${name} is required`);
    return value;
  };
  const grantType = required('grant_type');
  const isDevice = grantType === deviceGrantType;
  if (!isDevice && grantType !== 'authorization_code') {
    throw new OAuthError(
      'unsupported_grant_type',
      `grant_type must be authorization_code or ${deviceGrantType}`,
    );
  }
  const [value, verifier, redirectUri] = isDevice
    ? [required('device_code'), '', '']
    : [required('code'), required('code_verifier'), required('redirect_uri')];
  if (required('client_id') !== nativeClientId) {
    throw new OAuthError('invalid_client', `client_id must be ${nativeClientId}`);
  }
  if (isDevice) return await exchangeDeviceCode(ports, value, userAgent);
  const code = await findCode(ports, value, grantContext, readCodeGrant);
  if (code === null) throw invalidCode();
  if (code.record.redirectUri !== redirectUri) {
    throw new OAuthError('invalid_grant', 'redirect_uri is not the one of the authorization request');
  }
  if (!verifies(verifier, code.record.codeChallenge)) {
    throw new OAuthError('invalid_grant', 'code_verifier does not match the code_challenge');
  }
  await requireNotSignedOut(ports, code.record, invalidCode);
  if (!(await code.consume())) throw invalidCode();
  return await sessionFor(ports, code.record, { nonce: code.record.nonce, userAgent });
}

function invalidCode(): OAuthError {
  return new OAuthError('invalid_grant', 'Invalid or expired authorization code');
}
