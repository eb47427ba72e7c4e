import { Collection } from './collection.ts';
import { defaultRetryPolicy, type RetryPolicy } from './http/backoff.ts';
import { type ApiRequest, type ApiResponse, type Json, Transport } from './http/transport.ts';
import { type KindPath, pendingDeletionPath } from './model/paths.ts';
import type { Resource, ResourceList } from './model/resource.ts';
import type { WatchEvent } from './model/watch-event.ts';
import type { CallOptions, DryRunOptions, WatchOptions } from './options.ts';
import { systemTimers, type Timers } from './timers.ts';
import { staticToken, type TokenSource } from './tokens/token-source.ts';
import { defaultSilenceMs, eventsOf } from './watch/events-of.ts';

/** Configures a client. Only `baseUrl` is required. */
export interface ClientOptions {
  /** The address of the platform, for example `https://platform.example`. */
  readonly baseUrl: string;
  readonly token?: string | TokenSource;
  readonly fetch?: typeof fetch;
  readonly retry?: Partial<RetryPolicy>;
  /** The timeout of one attempt in milliseconds; 30,000 by default. */
  readonly timeoutMs?: number;
  readonly timers?: Timers;
  /** Replaces JSON.parse and JSON.stringify, which change numbers beyond 2^53. */
  readonly json?: Json;
  readonly userAgent?: string;
}

/** One write of a batch. */
export interface BatchOperation {
  readonly method: 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  /** The whole path, with its query. */
  readonly path: string;
  readonly body?: unknown;
  /** `Content-Type`, which a PATCH needs, `If-Match` and `X-Change-Reason`. */
  readonly headers?: Readonly<Record<string, string>>;
}

/** The answer to one write of a batch. */
export interface BatchResult {
  readonly status: number;
  readonly body: unknown;
}

/** Narrows a {@link PlatformClient.search}. */
export interface SearchOptions extends CallOptions {
  readonly labelSelector?: string | undefined;
  /** `Kind` or `Kind.group`. */
  readonly kind?: string | undefined;
  /** 1 to 1000, default 100. */
  readonly limit?: number | undefined;
}

/** The answer to a search. */
export interface SearchResults {
  readonly items: readonly Resource[];
  /** Present when the time limit passed before every name was read. */
  readonly complete?: false;
}

/** A client of the platform. */
export interface PlatformClient {
  /** The address of the platform, without a trailing slash. */
  readonly baseUrl: string;
  /** The clock and timers that it uses. */
  readonly timers: Timers;
  /** How it reads and writes JSON. */
  readonly json: Json;
  /** The resources of a kind at the root. Use `in` for resources below ancestors. */
  resources<Spec = unknown, Status = unknown>(kind: KindPath): Collection<Spec, Status>;
  /** Finds resources of every kind by a part of their name or by their uid: whole names first, then prefixes, then the rest. */
  search(q: string, options?: SearchOptions): Promise<SearchResults>;
  /** The resources of all kinds that are being deleted, oldest first, at most `limit` (1 to 1000, default 100). */
  pendingDeletion(options?: CallOptions & { readonly limit?: number }): Promise<Resource[]>;
  /** All resources that are being deleted, oldest first, in pages of at most `limit`. */
  pendingDeletionPages(
    options?: CallOptions & { readonly limit?: number },
  ): AsyncGenerator<ResourceList, void, undefined>;
  /** The changes of every kind, for operators; like `watch` of a collection. */
  watchChanges(
    options?: Omit<WatchOptions, 'key' | 'labelSelector' | 'fieldSelector'>,
  ): AsyncGenerator<WatchEvent, void, undefined>;
  /** Runs writes of resources in one transaction, all or none. A refusal has the index of its operation in `members.operation`. */
  batch(operations: readonly BatchOperation[], options?: DryRunOptions): Promise<readonly BatchResult[]>;
  /** Sends any request with the client's token and retries. The text of the response is exactly what the server sent. */
  send(request: ApiRequest): Promise<ApiResponse>;
}

/** Creates a client. Throws a TypeError when `baseUrl` is not an http or https URL. */
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
  const pendingPage = async ({ limit, signal }: CallOptions & { limit?: number }, token?: string) => {
    const request = { method: 'GET', path: pendingDeletionPath, query: { limit, continue: token }, signal };
    return transport.read<ResourceList>(await transport.send(request));
  };
  return {
    baseUrl,
    timers,
    json,
    resources: (kind) => new Collection(transport, kind),
    async search(q, { labelSelector, kind, limit, signal } = {}) {
      const query = { q, labelSelector, kind, limit };
      const request = { method: 'GET', path: '/api/v1/search', query, signal };
      return transport.read<SearchResults>(await transport.send(request));
    },
    async pendingDeletion(options = {}) {
      return (await pendingPage(options)).items;
    },
    async *pendingDeletionPages(options = {}) {
      let token: string | undefined;
      do {
        const page = await pendingPage(options, token);
        yield page;
        token = page.metadata?.continue;
      } while (token !== undefined);
    },
    watchChanges({ cursor, timeoutSeconds, signal, silenceMs = defaultSilenceMs } = {}) {
      const query = { watch: 'true', cursor, timeoutSeconds };
      const request = {
        method: 'GET',
        path: '/api/v1/changes',
        query,
        accept: 'application/x-ndjson',
        signal,
      };
      return eventsOf(transport, request, silenceMs);
    },
    async batch(operations, { dryRun = false, signal } = {}) {
      const response = await transport.send({
        method: 'POST',
        path: '/api/v1/batch',
        query: { dryRun: dryRun ? 'true' : undefined },
        body: { operations },
        signal,
        idempotencyKey: crypto.randomUUID(),
      });
      return transport.read<{ readonly results: readonly BatchResult[] }>(response).results;
    },
    send: (request) => transport.send(request),
  };
}

/** Reads the address of a platform. Throws a TypeError when it is not an http or https URL. */
export function readBaseUrl(text: string): string {
  const url = URL.canParse(text) ? new URL(text) : null;
  if (url === null || !/^https?:$/.test(url.protocol) || url.search !== '' || url.hash !== '') {
    throw new TypeError(`not a valid platform URL: ${text}`);
  }
  return url.href.replace(/\/+$/, '');
}
