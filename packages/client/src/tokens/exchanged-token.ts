import { readBaseUrl } from '../client.ts';
import type { components } from '../generated/api.ts';
import { defaultRetryPolicy, type RetryPolicy } from '../http/backoff.ts';
import { Transport } from '../http/transport.ts';
import { abortable, systemTimers, type Timers } from '../timers.ts';
import { staticToken, type TokenSource } from './token-source.ts';

/** The token response (RFC 8693 section 2.2.1). */
export type TokenResponse = components['schemas']['ExchangedToken'];

/** Configures a token exchange. */
export interface ExchangeOptions {
  /** The address of the platform, as for `createClient`. */
  readonly baseUrl: string;
  /** The external token, or a source for it when it is replaced from time to time. */
  readonly subject: string | TokenSource;
  /** The e-mail address of the service account to become. Omit it for a controller. */
  readonly identity?: string;
  readonly fetch?: typeof fetch;
  readonly timers?: Timers;
  readonly retry?: Partial<RetryPolicy>;
  readonly timeoutMs?: number;
}

/** Exchanges an external token for an access token, once. */
export async function exchangeToken(
  options: ExchangeOptions & { readonly signal?: AbortSignal | undefined },
): Promise<TokenResponse> {
  const { subject, identity, fetch: send = fetch, timers = systemTimers, signal } = options;
  const transport = new Transport({
    baseUrl: readBaseUrl(options.baseUrl),
    token: null,
    fetch: send,
    retry: { ...defaultRetryPolicy, ...options.retry },
    timeoutMs: options.timeoutMs ?? 30_000,
    timers,
    json: JSON,
    userAgent: 'platform-client',
  });
  const source = typeof subject === 'string' ? staticToken(subject) : subject;
  const response = await transport.send({
    method: 'POST',
    path: '/api/v1/auth/token',
    body: {
      grant_type: 'urn:ietf:params:oauth:grant-type:token-exchange',
      subject_token: await abortable(source.token(), signal),
      subject_token_type: 'urn:ietf:params:oauth:token-type:jwt',
      ...(identity === undefined ? {} : { identity }),
    },
    signal,
    // A second exchange only issues another token.
    repeatable: true,
  });
  return transport.read(response);
}

/** A token is replaced after this fraction of its lifetime, and no longer used after `usableFraction`. */
const freshFraction = 0.75;
const usableFraction = 0.95;
/** While the token is still valid, a failed exchange is retried after this time. */
const retryMs = 5_000;

/**
 * Access tokens by token exchange (RFC 8693). A token is cached and replaced before it expires. Concurrent requests share one
 * exchange. While the exchange fails, a token that has not expired is still used.
 */
export function exchangedToken(options: ExchangeOptions): TokenSource {
  const { now } = options.timers ?? systemTimers;
  let current: { token: string; freshUntil: number; usableUntil: number } | null = null;
  let pending: Promise<string> | null = null;
  let retryAt = 0;

  const exchange = async (): Promise<string> => {
    // Measured before the request: the token cannot have been issued earlier.
    const requestedAt = now();
    const { access_token: token, expires_in: seconds } = await exchangeToken(options);
    const at = (fraction: number) => requestedAt + seconds * 1000 * fraction;
    current = { token, freshUntil: at(freshFraction), usableUntil: at(usableFraction) };
    return token;
  };
  const renew = (): Promise<string> => {
    pending ??= exchange().finally(() => {
      pending = null;
    });
    return pending;
  };

  return {
    async token() {
      if (current === null || now() >= current.usableUntil) return await renew();
      if (now() >= Math.max(current.freshUntil, retryAt)) {
        renew().catch(() => {
          retryAt = now() + retryMs;
        });
      }
      return current.token;
    },
    rejected(token) {
      if (current?.token === token) current = null;
    },
  };
}
