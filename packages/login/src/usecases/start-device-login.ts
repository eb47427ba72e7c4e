import { OAuthError, Problem, randomValue, secretHash } from '@platform/kernel';
import { deviceCodeSeconds, devicePollSeconds, nativeClientId } from '../model/login-transaction.ts';
import { createUserCode, formatUserCode, normalizeUserCode } from '../rules/user-code.ts';
import type { LoginPorts } from './ports.ts';
import { type LoginRedirect, startLogin } from './start-login.ts';

/** The page where a user types the user code: short, because it is typed as well. */
export const devicePath = '/device';

/** The scopes of the platform's own tokens, as its metadata names them. */
const scopes: ReadonlySet<string> = new Set(['openid', 'email', 'profile']);

/** The response of a device authorization request (RFC 8628 section 3.2). */
export interface DeviceAuthorizationResponse {
  readonly device_code: string;
  readonly user_code: string;
  readonly verification_uri: string;
  readonly verification_uri_complete: string;
  readonly expires_in: number;
  readonly interval: number;
}

/** The parameters of the request (RFC 8628 section 3.1), and where it came from. */
export interface DeviceAuthorizationRequest {
  readonly clientId: string | undefined;
  readonly scope: string | undefined;
  readonly address: string;
  readonly userAgent: string;
}

/** Starts the login of a device without a browser (`POST /api/v1/auth/device/code`). Throws {@link OAuthError}. */
export async function authorizeDevice(
  ports: Pick<LoginPorts, 'devices' | 'random' | 'clock' | 'publicUrl' | 'provider'>,
  { clientId, scope = '', address, userAgent }: DeviceAuthorizationRequest,
): Promise<DeviceAuthorizationResponse> {
  if (clientId === undefined || clientId === '')
    throw new OAuthError('invalid_request', 'client_id is required');
  if (clientId !== nativeClientId) {
    throw new OAuthError('invalid_client', `client_id must be ${nativeClientId}`);
  }
  const requested = [...new Set(scope.split(' ').filter((one) => one !== ''))];
  if (requested.some((one) => !scopes.has(one))) {
    throw new OAuthError('invalid_scope', `scope may name ${[...scopes].join(', ')}`);
  }
  if (ports.provider === null) {
    throw new OAuthError('temporarily_unavailable', 'Login is not configured: auth.issuer is not set');
  }
  const now = ports.clock.now();
  const deviceCode = randomValue(ports.random);
  const facts = { clientId, scope: requested.join(' '), address, userAgent };
  // A few live codes among 25 billion: a second collision in a row is a broken generator.
  for (let attempt = 0; attempt < 3; attempt += 1) {
    const userCode = createUserCode(ports.random);
    const stored = await ports.devices.save({
      ...facts,
      deviceHash: secretHash(deviceCode),
      userCodeHash: secretHash(userCode),
      interval: devicePollSeconds,
      createdAt: now,
      expiresAt: now + deviceCodeSeconds * 1000,
    });
    if (stored) return responseOf(ports.publicUrl, deviceCode, formatUserCode(userCode));
  }
  throw new Error('every user code is taken');
}

/** Logs a user in who has typed a user code; the login ends at the page that asks whether to approve the device. */
export async function startDeviceLogin(ports: LoginPorts, userCode: string): Promise<LoginRedirect> {
  const code = normalizeUserCode(userCode);
  if (code === null) throw new Problem('invalid_query', 'user_code must be a code such as WDJB-MJHT.');
  return await startLogin(ports, { kind: 'device', userCode: code });
}

function responseOf(publicUrl: string, deviceCode: string, userCode: string): DeviceAuthorizationResponse {
  const page = `${publicUrl}${devicePath}`;
  return {
    device_code: deviceCode,
    user_code: userCode,
    verification_uri: page,
    verification_uri_complete: `${page}?user_code=${userCode}`,
    expires_in: deviceCodeSeconds,
    interval: devicePollSeconds,
  };
}
