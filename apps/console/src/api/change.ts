import { type RequestOptions, send } from './http.ts';
import type { Resource } from './resource.ts';

/** The reason of a change as a header: the API takes UTF-8, browsers only send characters of one byte. */
export function reasonHeader(reason: string): Readonly<Record<string, string>> {
  if (reason.trim() === '') return {};
  const bytes = new TextEncoder().encode(reason.trim());
  return { 'X-Change-Reason': Array.from(bytes, (byte) => String.fromCharCode(byte)).join('') };
}

/** Writes and returns the answer, for changes that are made once. */
export async function write<T>(path: string, options: RequestOptions): Promise<T> {
  return (await (await send(path, options)).json()) as T;
}

/** Sets or takes away one annotation of the latest revision. */
export function annotate(path: string, name: string, value: string | null, reason = ''): Promise<Resource> {
  return write<Resource>(path, {
    method: 'PATCH',
    headers: reasonHeader(reason),
    text: {
      type: 'application/merge-patch+json',
      content: JSON.stringify({ metadata: { annotations: { [name]: value } } }),
    },
  });
}
