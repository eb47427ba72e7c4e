import { abortable, sleep, type Timers } from '../timers.ts';
import type { TokenSource } from '../tokens/token-source.ts';
import { errorOf, PlatformError } from './platform-error.ts';
import { type RetryPolicy, retryDelay } from './retry.ts';

/** How JSON is read and written; JSON itself unless another is given, such as npm `lossless-json`. */
export interface Json {
  parse(text: string): unknown;
  stringify(value: unknown): string | undefined;
}

/** One request to the platform. */
export interface Call {
  readonly method: string;
  /** From `/api/...` on. */
  readonly path: string;
  readonly query?: Readonly<Record<string, string | number | undefined>> | undefined;
  /** A text goes out as it is; anything else as JSON. */
  readonly body?: unknown;
  /** The media type of a body that is a text; `application/json` by default. */
  readonly contentType?: string;
  readonly signal?: AbortSignal | undefined;
}

/** An answer with a status below 400, its body as it came. */
export interface Answer {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
}

/** What requests are sent with. */
export interface TransportOptions {
  /** Without a trailing slash. */
  readonly baseUrl: string;
  readonly token: TokenSource | null;
  readonly fetch: typeof fetch;
  readonly retry: RetryPolicy;
  /** How long one attempt may take, in milliseconds. */
  readonly timeoutMs: number;
  readonly timers: Timers;
  readonly json: Json;
  readonly userAgent: string;
}

/** Sends requests: with a token, a bound in time, and again where that makes sense. Throws {@link PlatformError}, or the reason of the signal. */
export class Transport {
  readonly #options: TransportOptions;

  constructor(options: TransportOptions) {
    this.#options = options;
  }

  get json(): Json {
    return this.#options.json;
  }

  get timers(): Timers {
    return this.#options.timers;
  }

  async send(call: Call): Promise<Answer> {
    const { retry, timers } = this.#options;
    for (let failures = 1; ; failures += 1) {
      call.signal?.throwIfAborted();
      const outcome = await this.#attempt(call);
      if (!(outcome instanceof PlatformError)) return outcome;
      const delay = retryDelay(outcome, failures, retry, timers.random());
      if (delay === null) throw outcome;
      await sleep(timers, delay, call.signal);
    }
  }

  async #attempt(call: Call): Promise<Answer | PlatformError> {
    const { token: source, timers } = this.#options;
    const token = source === null ? null : await abortable(source.token(), call.signal);
    const answer = await this.#exchange(call, token);
    if (answer.status < 400) return answer;
    if (answer.status === 401 && token !== null) source?.rejected?.(token);
    return errorOf(answer.status, answer.headers, answer.text, timers.now());
  }

  async #exchange(
    { method, path, query, body, contentType, signal }: Call,
    token: string | null,
  ): Promise<Answer> {
    const { baseUrl, timeoutMs, timers, json, userAgent } = this.#options;
    const overdue = new AbortController();
    const cancel = timers.after(timeoutMs, () => overdue.abort());
    const text = body === undefined || typeof body === 'string' ? body : json.stringify(body);
    try {
      const response = await this.#options.fetch(`${baseUrl}${path}${queryText(query)}`, {
        method,
        headers: {
          Accept: 'application/json',
          'User-Agent': userAgent,
          ...(token === null ? {} : { Authorization: `Bearer ${token}` }),
          ...(text === undefined ? {} : { 'Content-Type': contentType ?? 'application/json' }),
        },
        ...(text === undefined ? {} : { body: text }),
        // The platform never redirects a program; following would hand the token to whoever answers.
        redirect: 'error',
        signal: signal === undefined ? overdue.signal : AbortSignal.any([signal, overdue.signal]),
      });
      return { status: response.status, headers: response.headers, text: await response.text() };
    } catch (cause) {
      signal?.throwIfAborted();
      const code = overdue.signal.aborted ? 'timeout' : 'unreachable';
      const why = code === 'timeout' ? `no answer within ${timeoutMs} ms` : reasonOf(cause);
      throw new PlatformError({ status: 0, code, detail: `${method} ${baseUrl}${path}: ${why}` }, { cause });
    } finally {
      cancel();
    }
  }
}

function queryText(query: Call['query']): string {
  const parameters = new URLSearchParams();
  for (const [name, value] of Object.entries(query ?? {})) {
    if (value !== undefined) parameters.set(name, String(value));
  }
  return parameters.size === 0 ? '' : `?${parameters}`;
}

/** What fetch hides in causes: it says no more than `fetch failed` itself. */
function reasonOf(error: unknown): string {
  const { cause, errors, message } = (error ?? {}) as {
    cause?: unknown;
    errors?: unknown[];
    message?: string;
  };
  const deeper = cause ?? errors?.[0];
  return deeper === undefined ? (message ?? String(error)) : reasonOf(deeper);
}
