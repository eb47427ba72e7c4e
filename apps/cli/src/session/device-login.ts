import { isPlatformError, type PlatformClient, sleep } from 'platform-service-client';
import { Failure } from '../failure.ts';
import type { Terminal } from '../terminal.ts';
import { type LoginResult, nativeClientId } from './browser-login.ts';

/** The response of the device authorization request (RFC 8628 section 3.2). */
interface DeviceAuthorization {
  readonly device_code: string;
  readonly user_code: string;
  readonly verification_uri: string;
  readonly verification_uri_complete?: string;
  readonly expires_in: number;
  /** Five seconds when the server names none. */
  readonly interval?: number;
}

const form = 'application/x-www-form-urlencoded';

/**
 * Logs in on a machine without a browser: device authorization grant (RFC 8628). The user confirms a code in a browser elsewhere.
 * Throws a Failure when they refuse, or when the code expires.
 */
export async function logInByDevice(client: PlatformClient, terminal: Terminal): Promise<LoginResult> {
  const { text } = await client.send({
    method: 'POST',
    path: '/api/v1/auth/device/code',
    body: new URLSearchParams({ client_id: nativeClientId, scope: 'openid email' }).toString(),
    contentType: form,
    signal: terminal.signal,
  });
  const device = JSON.parse(text) as DeviceAuthorization;
  terminal.err(`Open this page in any browser:\n\n  ${device.verification_uri}\n\n`);
  terminal.err(`and type the code ${device.user_code}\n\n`);
  const endsAt = terminal.timers.now() + device.expires_in * 1000;
  let seconds = device.interval ?? 5;
  while (terminal.timers.now() < endsAt) {
    await sleep(terminal.timers, seconds * 1000, terminal.signal);
    const answer = await poll(client, device.device_code, terminal.signal);
    if (typeof answer !== 'string') return answer;
    // RFC 8628 section 3.5: for this and all later polls.
    if (answer === 'slow_down') seconds += 5;
  }
  throw expired();
}

/** The session, or why there is none yet. */
async function poll(
  client: PlatformClient,
  deviceCode: string,
  signal: AbortSignal,
): Promise<LoginResult | 'authorization_pending' | 'slow_down'> {
  const body = new URLSearchParams({
    grant_type: 'urn:ietf:params:oauth:grant-type:device_code',
    device_code: deviceCode,
    client_id: nativeClientId,
  });
  const path = '/api/v1/auth/code/exchange';
  try {
    const request = { method: 'POST', path, body: body.toString(), contentType: form, signal } as const;
    const { access_token: token, expires_in: expiresInSeconds } = JSON.parse(
      (await client.send(request)).text,
    );
    return { token, expiresInSeconds };
  } catch (error) {
    if (!isPlatformError(error)) throw error;
    if (error.code === 'authorization_pending' || error.code === 'slow_down') return error.code;
    // The platform is restarting or busy: the next poll asks again, less often (RFC 8628 section 3.5).
    if (error.status === 0 || error.status === 429 || error.status === 503) return 'slow_down';
    if (error.code === 'access_denied') {
      throw new Failure('forbidden', 'login rejected: it was refused in the browser');
    }
    if (error.code === 'expired_token') throw expired();
    throw error;
  }
}

function expired(): Failure {
  return new Failure(
    'timeout',
    'the code expired before the login was confirmed',
    'try again with: platform login --device',
  );
}
