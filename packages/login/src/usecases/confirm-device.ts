import { Problem, randomValue, type SealContext, secretHash } from '@platform/kernel';
import {
  type AuthenticatedUser,
  codeSeconds,
  type DeviceDestination,
  readPendingDevice,
} from '../model/login-transaction.ts';
import type { DeviceRequest } from '../ports/device-authorization-store.ts';
import { unknownLogin } from '../rules/unknown-login.ts';
import { formatUserCode, normalizeUserCode } from '../rules/user-code.ts';
import { findCode, saveCode } from './one-time-codes.ts';
import type { LoginPorts } from './ports.ts';

/** The login of a device that waits for the user's confirmation. */
export interface DeviceConfirmation {
  readonly kind: 'device';
  /** Identifies the pending login; kept in a cookie of the browser. */
  readonly id: string;
  readonly email: string;
  /** The code that the device shows. */
  readonly userCode: string;
  readonly device: DeviceRequest;
  readonly maxAgeSeconds: number;
}

/** The seal context of a device's login that waits for confirmation. */
export const pendingDeviceContext: SealContext = { purpose: 'device_confirmation' };
/** The seal context of the record of an approved device. */
export const deviceGrantContext: SealContext = { purpose: 'device_grant' };

/**
 * Asks the user who has just logged in whether to approve the device. Throws `rate_limited` for a user who tries too many codes.
 *
 * Attack (brute force, RFC 8628 section 5.1): somebody with an account guesses user codes, from many addresses. Whether a code exists
 * shows only after a login, and the attempts of a user count, right ones too.
 */
export async function requestDeviceConfirmation(
  ports: LoginPorts,
  { userCode }: DeviceDestination,
  user: AuthenticatedUser,
): Promise<DeviceConfirmation> {
  const retryAfterSeconds = ports.userCodeAttempts.take(user.uid);
  if (retryAfterSeconds > 0) {
    throw new Problem('rate_limited', `Too many codes of devices; try again in ${retryAfterSeconds} s.`, {
      retryAfterSeconds,
    });
  }
  const device = await ports.devices.findPending(secretHash(userCode), ports.clock.now());
  if (device === null) throw invalidCode();
  const id = randomValue(ports.random);
  const seal = { context: pendingDeviceContext, seconds: codeSeconds };
  await saveCode(ports, id, { userCode, user }, seal);
  const shown = formatUserCode(userCode);
  return { kind: 'device', id, email: user.email, userCode: shown, device, maxAgeSeconds: codeSeconds };
}

/** The user's answer about a device. */
export interface DeviceAnswer {
  /** The id in the cookie; null without one. */
  readonly id: string | null;
  /** The code on the page that the user answered. */
  readonly userCode: string;
  readonly confirmed: boolean;
}

/** Approves a device, or refuses it (`POST /api/v1/auth/device/confirm`); returns who answered, and what the device had asked for. */
export async function confirmDevice(
  ports: LoginPorts,
  { id, userCode, confirmed }: DeviceAnswer,
): Promise<{ readonly user: AuthenticatedUser; readonly device: DeviceRequest }> {
  const pending = await findCode(ports, id ?? '', pendingDeviceContext, readPendingDevice);
  // Attack: a second login in another tab replaces the cookie, and the answer to the first page counts for another device.
  const isShown = pending !== null && normalizeUserCode(userCode) === pending.record.userCode;
  if (!isShown || !(await pending.consume())) {
    throw unknownLogin();
  }
  const { record } = pending;
  const [hash, now] = [secretHash(record.userCode), ports.clock.now()];
  const device = await ports.devices.findPending(hash, now);
  if (device === null) throw invalidCode();
  const decided = confirmed
    ? await ports.devices.approve(
        hash,
        ports.sealer.seal(JSON.stringify(record.user), deviceGrantContext),
        now,
      )
    : await ports.devices.deny(hash, now);
  if (!decided) throw invalidCode();
  return { user: record.user, device };
}

function invalidCode(): Problem {
  return new Problem(
    'invalid_query',
    'No device waits with this code: it was mistyped, expired or used before. Start again on the device.',
  );
}
