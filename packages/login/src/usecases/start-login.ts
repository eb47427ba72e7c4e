import { Problem, randomValue, type SealContext } from '@platform/kernel';
import {
  type Authentication,
  type Destination,
  type LoginTransaction,
  loginTransactionSeconds,
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
  if (result.outcome === 'valid') return await startLogin(ports, result.destination, result.authentication);
  return { location: clientRedirect(ports.publicUrl, result, result.error.body), cookie: null };
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
  try {
    const location = await provider.authorizationUrl({
      ...transaction,
      redirectUri: callbackUrl(ports.publicUrl),
      authentication,
    });
    const value = ports.sealer.seal(JSON.stringify(transaction), transactionContext);
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
