import {
  isNumericDate,
  isSameSecret,
  OAuthError,
  type OAuthErrorCode,
  Problem,
  type ProblemCode,
  secretHash,
} from '@platform/kernel';
import type { IssuedToken } from '@platform/tokens';
import {
  type AuthenticatedUser,
  type Destination,
  type LoginTransaction,
  loginTransactionSeconds,
  type NativeDestination,
  readLoginTransaction,
} from '../model/login-transaction.ts';
import { InvalidAuthorizationResponse } from '../ports/identity-provider.ts';
import { clientRedirect } from '../rules/redirects.ts';
import { unknownLogin } from '../rules/unknown-login.ts';
import { readVerifiedClaims } from '../rules/user-claims.ts';
import { type DeviceConfirmation, requestDeviceConfirmation } from './confirm-device.ts';
import { type Confirmation, requestConfirmation } from './confirm-login.ts';
import { issueCode } from './issue-code.ts';
import { issueSession } from './issue-session.ts';
import type { LoginPorts } from './ports.ts';
import { callbackUrl, providerUnavailable, requireProvider, transactionContext } from './start-login.ts';

/** The result of a login: a redirect, with a session for a browser; or a request for confirmation. */
export type LoginResult = (
  | {
      readonly location: string;
      readonly session: (IssuedToken & { readonly id: string }) | null;
      /** The location is on a domain that a project brought along, which the user may not know. */
      readonly isForeign?: boolean;
    }
  | { readonly confirmation: Confirmation | DeviceConfirmation; readonly session: null }
) & {
  /** The user who logged in; null when the provider refused. */
  readonly user: Pick<AuthenticatedUser, 'uid' | 'email'> | null;
  readonly destination: Destination['kind'];
  /** Why there is no login, for the client and the audit record. */
  readonly error?: string;
};

/** How far the clocks of two replicas may differ, in seconds. */
const clockDifference = 60;

/** The callback request of the identity provider. */
export interface LoginCallback {
  /** The parameters of the query, each of them once. */
  readonly parameters: ReadonlyMap<string, string>;
  /** The cookie with the login transaction; null without one. */
  readonly cookie: string | null;
  /** The browser, for lists of sessions; empty unless given. */
  readonly userAgent?: string;
}

/** Completes a login (`GET /api/v1/auth/callback`): a browser gets a session, a native client an authorization code. */
export async function completeLogin(ports: LoginPorts, callback: LoginCallback): Promise<LoginResult> {
  const transaction = requireTransaction(ports, callback);
  const { destination, state, expiresAt } = transaction;
  const returnedAt = await ports.usedStates.markUsed(secretHash(state), expiresAt * 1000);
  if (returnedAt === null) throw unknownLogin();
  const providerError = callback.parameters.get('error');
  if (providerError !== undefined) return deniedByProvider(ports, destination, providerError);
  let account: Omit<AuthenticatedUser, 'authenticatedAt'>;
  try {
    account = await authenticateUser(ports, transaction, callback.parameters);
  } catch (error) {
    if (destination.kind !== 'native' || !(error instanceof Problem)) throw error;
    // A client that is not told waits until it gives up (RFC 6749 section 4.1.2.1).
    return refusal(ports, destination, errorForClient(error));
  }
  const user = { ...account, authenticatedAt: returnedAt };
  const startedAt = expiresAt - loginTransactionSeconds;
  const outcome = { user, destination: destination.kind, session: null };
  switch (destination.kind) {
    case 'native':
      if (!isRecent(user, startedAt, destination)) return refusal(ports, destination, notAskedAgain);
      return user.authTime !== null && user.authTime < startedAt
        ? { ...outcome, confirmation: await requestConfirmation(ports, destination, user) }
        : { ...outcome, location: await issueCode(ports, destination, user) };
    case 'device':
      return { ...outcome, confirmation: await requestDeviceConfirmation(ports, destination, user) };
    case 'browser': {
      const bearer = { kind: 'browser', userAgent: callback.userAgent ?? '' } as const;
      const session = await issueSession(ports, user, bearer, (reason) => new Problem('forbidden', reason));
      const location = destination.redirect;
      return { ...outcome, location, session, isForeign: isForeign(ports, location) };
    }
  }
}

/**
 * The transaction that this browser started.
 *
 * Attack (login CSRF): an attacker opens the callback URL of their own login in another user's browser, who then
 * works in the attacker's account. The state must be the one in the sealed cookie of this browser.
 */
function requireTransaction(
  { sealer, clock }: LoginPorts,
  { parameters, cookie }: LoginCallback,
): LoginTransaction {
  const text = cookie === null ? null : sealer.unseal(cookie, transactionContext);
  const transaction = text === null ? null : readLoginTransaction(text);
  const state = parameters.get('state') ?? '';
  if (transaction === null || !isSameSecret(state, transaction.state)) throw unknownLogin();
  const secondsLeft = transaction.expiresAt - Math.floor(clock.now() / 1000);
  // Attack: after the clock is set back, an old login is completed again, whose used state the database has forgotten.
  if (secondsLeft <= 0 || secondsLeft > loginTransactionSeconds + clockDifference) throw unknownLogin();
  return transaction;
}

async function authenticateUser(
  ports: LoginPorts,
  { state, nonce, codeVerifier }: LoginTransaction,
  parameters: ReadonlyMap<string, string>,
): Promise<Omit<AuthenticatedUser, 'authenticatedAt'>> {
  const redirectUri = callbackUrl(ports.publicUrl);
  try {
    const provider = requireProvider(ports.provider);
    const idToken = await provider.redeem({ parameters, state, nonce, codeVerifier, redirectUri });
    const { issuer, subject, email, emailVerified, claims, providerSession } = readVerifiedClaims(
      idToken,
      ports,
    );
    const { uid } = await ports.users.upsert({ issuer, subject, email });
    if (!emailVerified) ports.log.info('a login without email_verified gets no role by its address', { uid });
    const account = { issuer, subject };
    const { auth_time: authTime } = idToken;
    const known = isNumericDate(authTime) ? authTime : null;
    return { uid, email, claims, emailVerified, account, providerSession, authTime: known };
  } catch (error) {
    if (error instanceof InvalidAuthorizationResponse) throw invalidResponse(error, ports);
    throw providerUnavailable(error, ports);
  }
}

function isForeign({ publicUrl, origins }: LoginPorts, location: string): boolean {
  const { origin } = new URL(location, publicUrl);
  return origin !== new URL(publicUrl).origin && !origins.isTemplateOrigin(origin);
}

const notAskedAgain = {
  error: 'login_required',
  error_description: 'The identity provider did not authenticate the user again, or does not say when it did',
};

/**
 * Whether the user was authenticated as recently as the client asks for (OpenID Connect Core section 3.1.2.1). Attack: somebody at a machine
 * that its owner left changes `prompt` or `max_age` on the way to the provider.
 */
function isRecent(
  { authTime }: Pick<AuthenticatedUser, 'authTime'>,
  startedAt: number,
  { maxAge }: NativeDestination,
): boolean {
  if (maxAge === null) return true;
  return authTime !== null && authTime >= startedAt - maxAge - clockDifference;
}

function deniedByProvider(ports: LoginPorts, destination: Destination, error: string): LoginResult {
  ports.log.info('the identity provider refused a login', {
    error: error.replace(/[^\w.-]/g, '?').slice(0, 100),
  });
  if (destination.kind !== 'native') {
    throw new Problem('forbidden', 'The identity provider refused the login.');
  }
  return refusal(ports, destination, passingErrors.get(error) ?? refusedByProvider);
}

/**
 * Errors of the provider that say the same to the client (RFC 6749 section 4.1.2.1). Others, such as `invalid_scope`, are about the request of
 * the platform, which the client did not write.
 */
const passingErrors = new Map(
  ['server_error', 'temporarily_unavailable'].map((error) => [
    error,
    { error, error_description: 'The identity provider could not complete the login; try again later' },
  ]),
);

const refusedByProvider = {
  error: 'access_denied',
  error_description: 'The identity provider refused the login',
};

/** The error for a native client: the provider failed, the user gets no session, or the response of the provider is not valid. */
function errorForClient({ code, message }: Problem): ClientError {
  const errors: Partial<Record<ProblemCode, OAuthErrorCode>> = {
    unavailable: 'temporarily_unavailable',
    forbidden: 'access_denied',
  };
  return new OAuthError(errors[code] ?? 'server_error', message).body;
}

type ClientError = Readonly<Record<'error' | 'error_description', string>>;

/** The redirect that tells a native client why there is no login. */
function refusal({ publicUrl }: LoginPorts, destination: NativeDestination, error: ClientError): LoginResult {
  const location = clientRedirect(publicUrl, destination, error);
  return { location, session: null, user: null, destination: 'native', error: error.error };
}

/** Not `unavailable`: the transaction has ended, so that the same request cannot succeed later. */
function invalidResponse(error: InvalidAuthorizationResponse, { log }: LoginPorts): Problem {
  log.info('a login came back with an invalid response', { fault: error.message });
  return new Problem(
    'invalid_query',
    'The response of the identity provider is not valid for this login, or its code has expired; start again.',
    { cause: error },
  );
}
