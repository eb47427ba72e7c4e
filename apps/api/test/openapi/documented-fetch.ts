import { requireDocumented } from './conformance.ts';

/** `fetch`, whose answer must be as the document says when it comes from an endpoint of the platform. */
export async function documentedFetch(url: string | URL, init: RequestInit = {}): Promise<Response> {
  const response = await fetch(url, init);
  // After redirects it is somebody else's.
  if (!response.redirected) await requireDocumentedResponse(init.method ?? 'GET', new URL(url), response);
  return response;
}

/** Fails unless the document says that the endpoint may give this answer; the response can be read afterwards. */
export async function requireDocumentedResponse(method: string, url: URL, response: Response): Promise<void> {
  const type = (response.headers.get('content-type') ?? '').split(';', 1)[0] ?? '';
  const text = await response.clone().text();
  requireDocumented(method, url.pathname, { status: response.status, type, text });
}
