import { OAuthError, Problem, randomValue, type SealContext } from '@platform/kernel';
import {
  type Authentication,
  type Destination,
  type LoginTransaction,
  loginTransactionSeconds,
  maxCookieBytes,
} from '../model/login-transaction.ts';
import { type IdentityProvider, IdentityProviderError } from '../ports/identity-provider.ts';
import { type NativeLoginRequest, validateNativeLogin } from '../rules/native-login-request.ts';
import { clientRedirect, readBrowserRedirect } from '../rules/redirects.ts';
import type { LoginPorts } from './ports.ts';

/** A redirect of the browser, with the login transaction as a cookie. */
export interface LoginRedirect {
  readonly location: string;
  /** The sealed login transaction; null when the browser needs no cookie. */
  readonly cookie: {
    readonly state: string;
    readonly value: string;
    readonly maxAgeSeconds: number;
  } | null;
}

/** The seal context of the transaction cookie. Its purpose is stored in cookies, so it keeps its name across releases. */
export const transactionContext: SealContext = { purpose: 'login_trip' };

/** The name ends with the start of a hash of the state. */
const longestCookieName = '__Host-platform_login_0123456789abcdef';

type StartPorts = Pick<LoginPorts, 'provider' | 'publicUrl' | 'sealer' | 'clock' | 'random' | 'log'>;

/**
 * Starts a browser login (`GET /api/v1/auth/login?redirect=`). The user returns to a path of this origin or to the URL of a
 * project; any other redirect is `invalid_query` before the login starts.
 */
export async function startBrowserLogin(ports: LoginPorts, redirect: string): Promise<LoginRedirect> {
  const target = readBrowserRedirect(redirect, ports.publicUrl);
  if (target === null) throw invalidRedirect();
  if (target.kind === 'path') return await startLogin(ports, { kind: 'browser', redirect: target.path });
  const isOwn = target.origin === new URL(ports.publicUrl).origin;
  if (!isOwn && !(await ports.origins.isProjectOrigin(target.origin))) throw invalidRedirect();
  return await startLogin(ports, { kind: 'browser', redirect: target.url });
}

function invalidRedirect(): Problem {
  return new Problem('invalid_query', 'redirect must be a path of this site or the URL of a project.');
}

/** Starts the login of a native client (`GET /api/v1/auth/authorize`); errors are returned to the client's redirect URI. */
export async function startNativeLogin(
  ports: LoginPorts,
  request: NativeLoginRequest,
): Promise<LoginRedirect> {
  const result = validateNativeLogin(request);
  if (result.outcome === 'invalid') return refusedToClient(ports, result, result.error);
  const { destination, authentication } = result;
  try {
    return await startLogin(ports, destination, authentication);
  } catch (error) {
    // A client that is not told waits until it gives up (RFC 6749 section 4.1.2.1).
    if (!(error instanceof Problem)) throw error;
    const code = error.code === 'unavailable' ? 'temporarily_unavailable' : 'invalid_request';
    return refusedToClient(ports, destination, new OAuthError(code, error.message));
  }
}

function refusedToClient(
  { publicUrl }: Pick<LoginPorts, 'publicUrl'>,
  client: Parameters<typeof clientRedirect>[1],
  error: OAuthError,
): LoginRedirect {
  return { location: clientRedirect(publicUrl, client, error.body), cookie: null };
}

/** Starts a login with a fresh state, nonce and PKCE verifier. */
export async function startLogin(
  ports: StartPorts,
  destination: Destination,
  authentication: Authentication | null = null,
): Promise<LoginRedirect> {
  const provider = requireProvider(ports.provider);
  const transaction: LoginTransaction = {
    state: randomValue(ports.random),
    nonce: randomValue(ports.random),
    codeVerifier: randomValue(ports.random),
    expiresAt: Math.floor(ports.clock.now() / 1000) + loginTransactionSeconds,
    destination,
  };
  const value = ports.sealer.seal(JSON.stringify(transaction), transactionContext);
  // Accident: a browser drops the cookie, and after the login the user reads that another browser started it.
  if (longestCookieName.length + value.length > maxCookieBytes) {
    throw new Problem(
      'invalid_query',
      'The login does not fit into a cookie: its redirect, or its redirect_uri, state and nonce together, are too long.',
    );
  }
  try {
    const location = await provider.authorizationUrl({
      ...transaction,
      redirectUri: callbackUrl(ports.publicUrl),
      authentication,
    });
    return { location, cookie: { state: transaction.state, value, maxAgeSeconds: loginTransactionSeconds } };
  } catch (error) {
    throw providerUnavailable(error, ports);
  }
}

/** The redirect URI to register at the identity provider. */
export function callbackUrl(publicUrl: string): string {
  return `${publicUrl}/api/v1/auth/callback`;
}

/** The provider; `unavailable` if none is configured. */
export function requireProvider(provider: IdentityProvider | null): IdentityProvider {
  if (provider === null) throw new Problem('unavailable', 'Login is not configured: auth.issuer is not set.');
  return provider;
}

/** Turns an {@link IdentityProviderError} into `unavailable` and logs its cause; returns any other error as it is. */
export function providerUnavailable(error: unknown, { log }: Pick<LoginPorts, 'log'>): unknown {
  if (!(error instanceof IdentityProviderError)) return error;
  log.warn('the identity provider failed', { fault: error.message });
  return new Problem('unavailable', 'The identity provider failed or sent an invalid response; try again.', {
    retryAfterSeconds: 5,
    cause: error,
  });
}
