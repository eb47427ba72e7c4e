import { defaultRetryPolicy, type RetryPolicy } from '../http/retry.ts';
import { Transport } from '../http/transport.ts';
import { abortable, systemTimers, type Timers } from '../timers.ts';
import { staticToken, type TokenSource } from './token-source.ts';

/** What an exchange needs. */
export interface ExchangeOptions {
  /** The platform, without a trailing slash. */
  readonly baseUrl: string;
  /** The external token; a source, because it expires too. */
  readonly subject: string | TokenSource;
  /** The e-mail address of the service account to become; absent for a controller. */
  readonly identity?: string;
  readonly fetch?: typeof fetch;
  readonly timers?: Timers;
  readonly retry?: Partial<RetryPolicy>;
  readonly timeoutMs?: number;
}

/** The answer of the token exchange (RFC 8693, section 2.2.1). */
export interface ExchangeAnswer {
  readonly access_token: string;
  readonly issued_token_type: string;
  readonly token_type: string;
  /** Seconds. */
  readonly expires_in: number;
}

/** Exchanges an external token for an access token, once. */
export async function exchangeToken(
  options: ExchangeOptions & { readonly signal?: AbortSignal | undefined },
): Promise<ExchangeAnswer> {
  const { baseUrl, subject, identity, fetch: send = fetch, timers = systemTimers, signal } = options;
  const transport = new Transport({
    baseUrl,
    token: null,
    fetch: send,
    retry: { ...defaultRetryPolicy, ...options.retry },
    timeoutMs: options.timeoutMs ?? 30_000,
    timers,
    json: JSON,
    userAgent: 'platform-client',
  });
  const source = typeof subject === 'string' ? staticToken(subject) : subject;
  const { text } = await transport.send({
    method: 'POST',
    path: '/api/v1/auth/token',
    body: {
      grant_type: 'urn:ietf:params:oauth:grant-type:token-exchange',
      subject_token: await abortable(source.token(), signal),
      subject_token_type: 'urn:ietf:params:oauth:token-type:jwt',
      ...(identity === undefined ? {} : { identity }),
    },
    signal,
  });
  return JSON.parse(text);
}

/** The parts of its life after which a token is replaced, and after which it is no longer given out. */
const freshPart = 0.75;
const usablePart = 0.95;
/** While a token is still good, an exchange that failed is not tried again before. */
const pauseMs = 5_000;

/**
 * Access tokens by exchange: kept, replaced in time before they expire, and exchanged once however many requests wait. While
 * the exchange fails, a token that has not expired is still given out.
 */
export function exchangedToken(options: ExchangeOptions): TokenSource {
  const { now } = options.timers ?? systemTimers;
  let current: { token: string; freshUntil: number; usableUntil: number } | null = null;
  let pending: Promise<string> | null = null;
  let pausedUntil = 0;

  const exchange = async (): Promise<string> => {
    // Counted from before the request: the token cannot have been minted earlier.
    const asked = now();
    const { access_token: token, expires_in: seconds } = await exchangeToken(options);
    const at = (part: number) => asked + seconds * 1000 * part;
    current = { token, freshUntil: at(freshPart), usableUntil: at(usablePart) };
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
      if (now() >= Math.max(current.freshUntil, pausedUntil)) {
        renew().catch(() => {
          pausedUntil = now() + pauseMs;
        });
      }
      return current.token;
    },
    rejected(token) {
      if (current?.token === token) current = null;
    },
  };
}
