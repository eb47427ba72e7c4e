import { isSameSecret, Problem, secretHash } from '@platform/kernel';
import type { IssuedToken } from '@platform/tokens';
import {
  type AuthenticatedUser,
  type Destination,
  type LoginTransaction,
  loginTransactionSeconds,
  readLoginTransaction,
} from '../model/login-transaction.ts';
import { InvalidAuthorizationResponse } from '../ports/identity-provider.ts';
import { withParameters } from '../rules/redirects.ts';
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
  const { account, authenticatedBefore } = await authenticateUser(ports, transaction, callback.parameters);
  const user = { ...account, authenticatedAt: returnedAt };
  const outcome = { user, destination: destination.kind, session: null };
  switch (destination.kind) {
    case 'native':
      return authenticatedBefore
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
 * Attack (login CSRF): an attacker opens the callback URL of their own login in another person's browser, who then
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
  { state, nonce, codeVerifier, expiresAt }: LoginTransaction,
  parameters: ReadonlyMap<string, string>,
): Promise<{
  readonly account: Omit<AuthenticatedUser, 'authenticatedAt'>;
  readonly authenticatedBefore: boolean;
}> {
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
    const account = { uid, email, claims, emailVerified, account: { issuer, subject }, providerSession };
    const startedAt = expiresAt - loginTransactionSeconds;
    return { account, authenticatedBefore: isBefore(idToken['auth_time'], startedAt) };
  } catch (error) {
    if (error instanceof InvalidAuthorizationResponse) throw invalidResponse(error, ports);
    throw providerUnavailable(error, ports);
  }
}

function isForeign({ publicUrl, origins }: LoginPorts, location: string): boolean {
  const { origin } = new URL(location, publicUrl);
  return origin !== new URL(publicUrl).origin && !origins.isTemplateOrigin(origin);
}

/** Whether the provider authenticated the user before the login started, so that the user was not asked during it. */
function isBefore(authTime: unknown, startedAt: number): boolean {
  return typeof authTime === 'number' && authTime < startedAt;
}

function deniedByProvider(
  { log, publicUrl }: LoginPorts,
  destination: Destination,
  error: string,
): LoginResult {
  log.info('the identity provider refused a login', { error: error.replace(/[^\w.-]/g, '?').slice(0, 100) });
  if (destination.kind !== 'native') {
    throw new Problem('forbidden', 'The identity provider refused the login.');
  }
  const { redirectUri, state } = destination;
  const parameters = {
    error: 'access_denied',
    error_description: 'The identity provider refused the login',
    state,
    iss: publicUrl,
  };
  return {
    location: withParameters(redirectUri, parameters),
    session: null,
    user: null,
    destination: 'native',
  };
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
