import { type CallOptions, Collection } from './collection.ts';
import { defaultRetryPolicy, type RetryPolicy } from './http/retry.ts';
import { type Answer, type Call, type Json, Transport } from './http/transport.ts';
import { type KindPath, pendingDeletionPath } from './model/paths.ts';
import type { Resource, ResourceList } from './model/resource.ts';
import { systemTimers, type Timers } from './timers.ts';
import { staticToken, type TokenSource } from './tokens/token-source.ts';

/** What a client needs; only `baseUrl` is required. */
export interface ClientOptions {
  /** The platform, e.g. `https://platform.example`. */
  readonly baseUrl: string;
  readonly token?: string | TokenSource;
  readonly fetch?: typeof fetch;
  readonly retry?: Partial<RetryPolicy>;
  /** How long one attempt may take, in milliseconds; 30,000 by default. */
  readonly timeoutMs?: number;
  readonly timers?: Timers;
  /** Instead of JSON.parse and JSON.stringify, which change numbers beyond 2^53. */
  readonly json?: Json;
  readonly userAgent?: string;
}

/** A client of the platform. */
export interface PlatformClient {
  /** The platform, without a trailing slash. */
  readonly baseUrl: string;
  /** The time and chance that it works with. */
  readonly timers: Timers;
  /** How it reads and writes JSON. */
  readonly json: Json;
  /** The root-scoped resources of a kind, or with `in` those below ancestors. */
  resources<Spec = unknown, Status = unknown>(kind: KindPath): Collection<Spec, Status>;
  /** Everything that is being deleted, of all kinds, oldest first; at most `limit` (1 to 1000, 100 without). */
  pendingDeletion(options?: CallOptions & { readonly limit?: number }): Promise<Resource[]>;
  /** Any request to the platform, with the client's token and retries. Its text is what the server sent, to the digit. */
  send(call: Call): Promise<Answer>;
}

/** Makes a client. Throws a TypeError when `baseUrl` is no http(s) URL. */
export function createClient(options: ClientOptions): PlatformClient {
  const { token = null, timers = systemTimers, json = JSON } = options;
  const baseUrl = readBaseUrl(options.baseUrl);
  const transport = new Transport({
    baseUrl,
    token: typeof token === 'string' ? staticToken(token) : token,
    fetch: options.fetch ?? fetch,
    retry: { ...defaultRetryPolicy, ...options.retry },
    timeoutMs: options.timeoutMs ?? 30_000,
    timers,
    json,
    userAgent: options.userAgent ?? 'platform-client',
  });
  return {
    baseUrl,
    timers,
    json,
    resources: (kind) => new Collection(transport, kind),
    async pendingDeletion({ limit, signal } = {}) {
      const call = { method: 'GET', path: pendingDeletionPath, query: { limit }, signal };
      return (json.parse((await transport.send(call)).text) as ResourceList).items;
    },
    send: (call) => transport.send(call),
  };
}

function readBaseUrl(text: string): string {
  const url = URL.canParse(text) ? new URL(text) : null;
  if (url === null || !/^https?:$/.test(url.protocol) || url.search !== '' || url.hash !== '') {
    throw new TypeError(`not the URL of a platform: ${text}`);
  }
  return url.href.replace(/\/+$/, '');
}
