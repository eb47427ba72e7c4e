import { abortable, sleep, type Timers } from '../timers.ts';
import type { TokenSource } from '../tokens/token-source.ts';
import { type RetryPolicy, retryDelay } from './backoff.ts';
import { reasonOf } from './network-failure.ts';
import { errorOf, PlatformError } from './platform-error.ts';

/** Reads and writes JSON: `JSON` itself, or a replacement such as npm `lossless-json`. */
export interface Json {
  parse(text: string): unknown;
  stringify(value: unknown): string | undefined;
}

/** One request to the platform. */
export interface ApiRequest {
  readonly method: string;
  /** Starts with `/api/...`. */
  readonly path: string;
  readonly query?: Readonly<Record<string, string | number | undefined>> | undefined;
  /** A string is sent unchanged, anything else as JSON. */
  readonly body?: unknown;
  /** The media type of a string body; `application/json` by default. */
  readonly contentType?: string;
  /** The media type of the answer; `application/json` by default. */
  readonly accept?: string;
  /** Whether the request may be sent again when its outcome is not known; by default only GET, and what has an idempotency key. */
  readonly repeatable?: boolean;
  /** Makes a POST repeatable: the platform answers a repeated request with the same key as it answered the first. */
  readonly idempotencyKey?: string;
  /** Further headers, such as `If-Match`. */
  readonly headers?: Readonly<Record<string, string>>;
  readonly signal?: AbortSignal | undefined;
}

/** A response with a status below 400. `text` is the unchanged body. */
export interface ApiResponse {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
}

/** Configures the transport. */
export interface TransportOptions {
  /** Without a trailing slash. */
  readonly baseUrl: string;
  readonly token: TokenSource | null;
  readonly fetch: typeof fetch;
  readonly retry: RetryPolicy;
  /** The timeout of one attempt in milliseconds. */
  readonly timeoutMs: number;
  readonly timers: Timers;
  readonly json: Json;
  readonly userAgent: string;
}

/** Sends requests with a token, a timeout and safe retries. Throws {@link PlatformError}, or the reason of the signal. */
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

  async send(request: ApiRequest): Promise<ApiResponse> {
    const { retry, timers } = this.#options;
    const { repeatable = request.method === 'GET' || request.idempotencyKey !== undefined } = request;
    for (let failures = 1; ; failures += 1) {
      request.signal?.throwIfAborted();
      const result = await this.#attempt(request);
      if (!(result instanceof PlatformError)) return result;
      const delay = retryDelay(result, failures, retry, timers.random(), repeatable);
      if (delay === null) throw result;
      await sleep(timers, delay, request.signal);
    }
  }

  /** The JSON of a response. Throws `unexpected_answer` for any other text, such as the page of a proxy. */
  read<T>({ status, text }: Pick<ApiResponse, 'status' | 'text'>): T {
    const { json, baseUrl } = this.#options;
    try {
      return json.parse(text) as T;
    } catch (cause) {
      const detail = `the response of ${baseUrl} is not JSON`;
      throw new PlatformError({ status, code: 'unexpected_answer', detail }, { cause });
    }
  }

  /**
   * The lines of an answer that goes on. Ends when the server ends it. It never retries: only the reader of a stream knows where
   * to go on. Throws `timeout` when nothing arrives for `silenceMs`.
   */
  async *lines(request: ApiRequest, silenceMs: number): AsyncGenerator<string, void, undefined> {
    const { token: source, timers } = this.#options;
    const token = await this.#token(request.signal);
    const silence = new Deadline(timers, silenceMs, request.signal);
    try {
      const response = await this.#open(request, token, silence.signal);
      if (response.status >= 400) {
        if (response.status === 401 && token !== null) source?.rejected?.(token);
        const text = await textOf(response, silence.signal);
        throw errorOf(response.status, response.headers, text, timers.now());
      }
      yield* linesOf(response, silence);
    } catch (error) {
      throw error instanceof PlatformError ? error : this.#failureOf(request, error, silence);
    } finally {
      silence.end();
    }
  }

  async #attempt(request: ApiRequest): Promise<ApiResponse | PlatformError> {
    const { token: source, timers } = this.#options;
    const token = await this.#token(request.signal);
    const response = await this.#fetch(request, token);
    if (response instanceof PlatformError || response.status < 400) return response;
    if (response.status === 401 && token !== null) source?.rejected?.(token);
    return errorOf(response.status, response.headers, response.text, timers.now());
  }

  /** The token for the next request; null without a source. */
  async #token(signal: AbortSignal | undefined): Promise<string | null> {
    const { token: source } = this.#options;
    if (source === null) return null;
    const token = await abortable(source.token(), signal);
    // `fetch` would refuse the token with a message that contains it.
    if (/[^\x20-\x7e]/.test(token.trim())) {
      const detail = 'the token cannot be sent: it contains a line break or a character that is not ASCII';
      throw new PlatformError({ status: 0, code: 'no_token', detail });
    }
    return token;
  }

  async #fetch(request: ApiRequest, token: string | null): Promise<ApiResponse | PlatformError> {
    const { timeoutMs, timers } = this.#options;
    const timeout = new Deadline(timers, timeoutMs, request.signal);
    try {
      const response = await this.#open(request, token, timeout.signal);
      return {
        status: response.status,
        headers: response.headers,
        text: await textOf(response, timeout.signal),
      };
    } catch (cause) {
      return this.#failureOf(request, cause, timeout);
    } finally {
      timeout.end();
    }
  }

  #open(
    { method, path, query, body, contentType, ...request }: ApiRequest,
    token: string | null,
    signal: AbortSignal,
  ): Promise<Response> {
    const { baseUrl, json, userAgent } = this.#options;
    const text = body === undefined || typeof body === 'string' ? body : json.stringify(body);
    return this.#options.fetch(`${baseUrl}${path}${queryText(query)}`, {
      method,
      headers: {
        Accept: request.accept ?? 'application/json',
        'User-Agent': userAgent,
        ...(token === null ? {} : { Authorization: `Bearer ${token}` }),
        ...(text === undefined ? {} : { 'Content-Type': contentType ?? 'application/json' }),
        ...(request.idempotencyKey === undefined ? {} : { 'Idempotency-Key': request.idempotencyKey }),
        ...request.headers,
      },
      ...(text === undefined ? {} : { body: text }),
      // Attack: a redirect would send the token to another server. The platform never redirects API clients.
      redirect: 'error',
      signal,
    });
  }

  /** The failure of a request without a response. Throws the reason of the signal of the caller when that ended it. */
  #failureOf(
    { method, path, signal }: ApiRequest,
    cause: unknown,
    { expired, limitMs }: Deadline,
  ): PlatformError {
    signal?.throwIfAborted();
    const code = expired ? 'timeout' : 'unreachable';
    const reason = expired ? `no response within ${limitMs} ms` : reasonOf(cause);
    const detail = `${method} ${this.#options.baseUrl}${path}: ${reason}`;
    return new PlatformError({ status: 0, code, detail }, { cause });
  }
}

/** Ends one attempt: when it takes too long, or the caller no longer wants it. */
class Deadline {
  readonly limitMs: number;
  readonly #timers: Timers;
  readonly #caller: AbortSignal | undefined;
  readonly #ended = new AbortController();
  #expired = false;
  #cancel = () => {};

  constructor(timers: Timers, limitMs: number, caller: AbortSignal | undefined) {
    this.limitMs = limitMs;
    this.#timers = timers;
    this.#caller = caller;
    caller?.addEventListener('abort', this.#abort, { once: true });
    if (caller?.aborted === true) this.#abort();
    this.restart();
  }

  get signal(): AbortSignal {
    return this.#ended.signal;
  }

  /** Whether it took too long. */
  get expired(): boolean {
    return this.#expired;
  }

  /** Begins to count again. */
  restart(): void {
    this.#cancel();
    this.#cancel = this.#timers.after(this.limitMs, () => {
      this.#expired = true;
      this.#ended.abort();
    });
  }

  /** Stops counting, and ends the request when its body was not read to the end. */
  end(): void {
    this.#cancel();
    this.#caller?.removeEventListener('abort', this.#abort);
    this.#ended.abort();
  }

  readonly #abort = () => this.#ended.abort(this.#caller?.reason);
}

/**
 * The chunks of a body. Rejects when the signal is aborted, without relying on `fetch` for it: once a response has begun, Node.js 20
 * no longer ends its body with the signal when the garbage collector has run. A stream would then neither stop nor notice that the
 * connection is silent.
 */
async function* chunksOf(
  { body }: Response,
  signal: AbortSignal,
): AsyncGenerator<Uint8Array, void, undefined> {
  if (body === null) return;
  const reader = body.getReader() as ReadableStreamDefaultReader<Uint8Array>;
  try {
    for (;;) {
      const { done, value } = await abortable(reader.read(), signal);
      if (done) return;
      yield value;
    }
  } finally {
    reader.cancel().catch(() => undefined);
  }
}

async function textOf(response: Response, signal: AbortSignal): Promise<string> {
  const decoder = new TextDecoder();
  let text = '';
  for await (const chunk of chunksOf(response, signal)) text += decoder.decode(chunk, { stream: true });
  return text + decoder.decode();
}

/** Splits a body into lines. Each piece of it restarts the deadline. */
async function* linesOf(response: Response, silence: Deadline): AsyncGenerator<string, void, undefined> {
  const decoder = new TextDecoder();
  // In pieces, since joining the text again for each chunk of a long line would take quadratic time.
  let pieces: string[] = [];
  for await (const chunk of chunksOf(response, silence.signal)) {
    silence.restart();
    const [first = '', ...rest] = decoder.decode(chunk, { stream: true }).split('\n');
    pieces.push(first);
    for (const next of rest) {
      const line = pieces.join('');
      pieces = [next];
      if (line !== '') yield line;
    }
  }
}

function queryText(query: ApiRequest['query']): string {
  const parameters = new URLSearchParams();
  for (const [name, value] of Object.entries(query ?? {})) {
    if (value !== undefined) parameters.set(name, String(value));
  }
  return parameters.size === 0 ? '' : `?${parameters}`;
}
