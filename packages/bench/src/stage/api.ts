/** A caller of the API, for what is not measured. */
export interface Api {
  readonly url: string;
  readonly session: string;
  get(path: string): Promise<unknown>;
  post(path: string, body: unknown): Promise<unknown>;
  /** `signal` gives up waiting for the answer. */
  delete(path: string, signal?: AbortSignal): Promise<unknown>;
}

/** Calls as the operator. Rejects with the answer when a call is refused. */
export function apiAt(url: string, session: string): Api {
  const call = async (method: string, path: string, body?: unknown, signal?: AbortSignal) => {
    const response = await fetch(url + path, {
      method,
      headers: { authorization: `Bearer ${session}`, 'content-type': 'application/json' },
      ...(body !== undefined && { body: JSON.stringify(body) }),
      ...(signal && { signal }),
    });
    const text = await response.text();
    if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${text}`);
    return text === '' ? undefined : (JSON.parse(text) as unknown);
  };
  return {
    url,
    session,
    get: (path) => call('GET', path),
    post: (path, body) => call('POST', path, body),
    delete: (path, signal) => call('DELETE', path, undefined, signal),
  };
}
