import { randomValue, type SealContext } from '@platform/kernel';
import {
  type AuthenticatedUser,
  codeSeconds,
  type NativeDestination,
  readPendingLogin,
} from '../model/login-transaction.ts';
import { clientRedirect } from '../rules/redirects.ts';
import { unknownLogin } from '../rules/unknown-login.ts';
import { issueCode } from './issue-code.ts';
import { findCode, saveCode } from './one-time-codes.ts';
import type { LoginPorts } from './ports.ts';

/** A native login that waits for the user's confirmation. */
export interface Confirmation {
  readonly kind: 'native';
  /** Identifies the pending login; kept in a cookie of the browser. */
  readonly id: string;
  readonly email: string;
  readonly redirectUri: string;
  readonly maxAgeSeconds: number;
}

/** The seal context of a login that waits for confirmation. */
export const pendingContext: SealContext = { purpose: 'login_confirmation' };

/**
 * Stores a native login until the user confirms it.
 *
 * Attack (RFC 8252 section 8.6): a program on the machine starts a login by itself. The provider remembers the user and asks
 * nothing, so the program gets a session. A user whom the provider did not ask is therefore asked by the platform.
 */
export async function requestConfirmation(
  ports: LoginPorts,
  destination: NativeDestination,
  user: AuthenticatedUser,
): Promise<Confirmation> {
  const id = randomValue(ports.random);
  await saveCode(ports, id, { destination, user }, { context: pendingContext, seconds: codeSeconds });
  return {
    kind: 'native',
    id,
    email: user.email,
    redirectUri: destination.redirectUri,
    maxAgeSeconds: codeSeconds,
  };
}

/** The user's answer about a native login. */
export interface ConfirmationAnswer {
  /** The id in the cookie; null without one. */
  readonly id: string | null;
  /** The redirect URI on the page that the user answered. */
  readonly redirectUri: string;
  readonly confirmed: boolean;
}

/** A pending login that the user has answered. */
export interface ConfirmedLogin {
  readonly location: string;
  readonly user: AuthenticatedUser;
}

/** Completes a pending login (`POST /api/v1/auth/authorize/confirm`) with a code for the client or with `access_denied`. */
export async function confirmLogin(
  ports: LoginPorts,
  { id, redirectUri, confirmed }: ConfirmationAnswer,
): Promise<ConfirmedLogin> {
  const pending = await findCode(ports, id ?? '', pendingContext, readPendingLogin);
  // Attack: a program opens a login of its own in another tab. That replaces the cookie, and the answer to the first page counts for it.
  const isShown = pending !== null && pending.record.destination.redirectUri === redirectUri;
  if (!isShown || !(await pending.consume())) {
    throw unknownLogin();
  }
  const { destination, user } = pending.record;
  if (confirmed) return { location: await issueCode(ports, destination, user), user };
  const location = clientRedirect(ports.publicUrl, destination, {
    error: 'access_denied',
    error_description: 'The login was not confirmed',
  });
  return { location, user };
}
