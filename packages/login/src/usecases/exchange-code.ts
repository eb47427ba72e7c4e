import { OAuthError, verifiesChallenge } from '@platform/kernel';
import { nativeClientId, readCodeGrant } from '../model/login-transaction.ts';
import { deviceGrantType, exchangeDeviceCode } from './exchange-device-code.ts';
import { grantContext } from './issue-code.ts';
import { type CodeExchangeResponse, issueNativeSession } from './issue-native-session.ts';
import { findCode } from './one-time-codes.ts';
import type { LoginPorts } from './ports.ts';

/** The parameters of the code exchange (RFC 6749 section 4.1.3, RFC 7636 section 4.5, RFC 8628 section 3.4); any of them may be missing. */
export type CodeExchangeRequest = Readonly<
  Partial<
    Record<'grant_type' | 'code' | 'code_verifier' | 'redirect_uri' | 'client_id' | 'device_code', string>
  >
>;

/**
 * Redeems a native client's code, or answers the poll of a device (`POST /api/v1/auth/code/exchange`). The code is consumed after all checks
 * have passed, so a wrong verifier does not use it up; exactly one of concurrent redemptions succeeds. Throws {@link OAuthError}.
 */
export async function exchangeCode(
  ports: LoginPorts,
  request: CodeExchangeRequest,
  userAgent = '',
): Promise<CodeExchangeResponse> {
  const [grantType] = requireParameters(request, ['grant_type']);
  const isDevice = grantType === deviceGrantType;
  if (!isDevice && grantType !== 'authorization_code') {
    throw new OAuthError(
      'unsupported_grant_type',
      `grant_type must be authorization_code or ${deviceGrantType}`,
    );
  }
  const [clientId, value, verifier = '', redirectUri = ''] = requireParameters(
    request,
    isDevice ? ['client_id', 'device_code'] : ['client_id', 'code', 'code_verifier', 'redirect_uri'],
  );
  if (clientId !== nativeClientId) {
    throw new OAuthError('invalid_client', `client_id must be ${nativeClientId}`);
  }
  if (isDevice) return await exchangeDeviceCode(ports, value, userAgent);
  const code = await findCode(ports, value, grantContext, readCodeGrant);
  if (code === null) throw invalidCode();
  if (code.record.redirectUri !== redirectUri) {
    throw new OAuthError('invalid_grant', 'redirect_uri is not the one of the authorization request');
  }
  if (!verifiesChallenge(verifier, code.record.codeChallenge)) {
    throw new OAuthError('invalid_grant', 'code_verifier does not match the code_challenge');
  }
  if (!(await code.consume())) throw invalidCode();
  return await issueNativeSession(ports, code.record, { nonce: code.record.nonce, userAgent });
}

/** The values of the parameters; `invalid_request` with every one that is missing. */
function requireParameters<const N extends readonly (keyof CodeExchangeRequest)[]>(
  request: CodeExchangeRequest,
  names: N,
): { readonly [I in keyof N]: string } {
  const missing = names.filter((name) => (request[name] ?? '') === '');
  if (missing.length > 0) {
    throw new OAuthError('invalid_request', missing.map((name) => `${name} is required`).join('; '));
  }
  return names.map((name) => request[name]) as { readonly [I in keyof N]: string };
}

function invalidCode(): OAuthError {
  return new OAuthError('invalid_grant', 'Invalid or expired authorization code');
}
