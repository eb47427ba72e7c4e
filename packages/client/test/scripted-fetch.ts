/** One request as the server receives it. */
export interface SeenRequest {
  readonly method: string;
  /** Path and query. */
  readonly target: string;
  readonly headers: Headers;
  readonly body: string | undefined;
  readonly signal: AbortSignal | null | undefined;
}

/** A scripted response: a status with a body, or a network failure. */
export type Scripted =
  | { readonly status: number; readonly body?: unknown; readonly headers?: Record<string, string> }
  | Error
  | 'silence';

/** A fetch that responds from a list or a function, and records the requests. */
export function scriptedFetch(script: Scripted[] | ((request: SeenRequest) => Scripted)) {
  const seen: SeenRequest[] = [];
  const send = async (url: string | URL | Request, init: RequestInit = {}): Promise<Response> => {
    const { pathname, search } = new URL(String(url));
    const request: SeenRequest = {
      method: init.method ?? 'GET',
      target: pathname + search,
      headers: new Headers(init.headers),
      body: init.body as string | undefined,
      signal: init.signal,
    };
    seen.push(request);
    const answer = typeof script === 'function' ? script(request) : script.shift();
    if (answer === undefined) throw new Error(`unexpected request: ${request.method} ${request.target}`);
    if (answer instanceof Error) throw new TypeError('fetch failed', { cause: answer });
    if (answer === 'silence') {
      return new Promise((_, reject) =>
        init.signal?.addEventListener('abort', () => reject(init.signal?.reason)),
      );
    }
    const text = typeof answer.body === 'string' ? answer.body : JSON.stringify(answer.body ?? {});
    return new Response(text, { status: answer.status, headers: answer.headers ?? {} });
  };
  return { fetch: send as typeof fetch, seen };
}
