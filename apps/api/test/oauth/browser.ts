import { get } from 'node:http';
import { requireDocumentedResponse } from '../openapi/documented-fetch.ts';

/** A browser without a screen: follows redirects and keeps the cookies of each origin. */
export class Browser {
  readonly #cookies = new Map<string, Map<string, string>>();

  /** Opens a URL and follows redirects; stops at the first one that begins with `until`, which is returned unopened. */
  async open(
    url: string | URL,
    until?: string,
  ): Promise<{ readonly url: URL; readonly response: Response | null }> {
    let at = new URL(url);
    for (let hop = 0; hop < 20; hop += 1) {
      if (until !== undefined && at.href.startsWith(until)) return { url: at, response: null };
      const response = await this.request(at);
      const location = response.headers.get('location');
      if (response.status < 300 || response.status > 399 || location === null) return { url: at, response };
      await response.arrayBuffer();
      at = new URL(location, at);
    }
    throw new Error('too many redirects');
  }

  /** One request as a browser makes it, with the cookies of the origin. */
  async request(url: URL): Promise<Response> {
    const jar = this.#cookies.get(url.host) ?? new Map<string, string>();
    this.#cookies.set(url.host, jar);
    const cookie = [...jar].map(([name, value]) => `${name}=${value}`).join('; ');
    const response = await navigate(url, {
      Accept: 'text/html',
      ...(cookie === '' ? {} : { Cookie: cookie }),
    });
    if (/^\/(?:oidc|api\/v1)\//.test(url.pathname)) await requireDocumentedResponse('GET', url, response);
    for (const line of response.headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? [];
      if (value === '' || /expires=Thu, 01 Jan 1970/i.test(line)) jar.delete(name);
      else jar.set(name, value);
    }
    return response;
  }
}

/** Not `fetch`: it calls itself a script (`Sec-Fetch-Mode: cors`), and some clients do not send scripts to a login. */
function navigate(url: URL, headers: Record<string, string>): Promise<Response> {
  return new Promise((resolve, reject) => {
    const request = get(url, { headers, agent: false }, (incoming) => {
      const chunks: Buffer[] = [];
      incoming.on('data', (chunk: Buffer) => chunks.push(chunk));
      incoming.on('error', reject);
      incoming.on('end', () => {
        const names = incoming.rawHeaders.filter((_text, index) => index % 2 === 0);
        const pairs = names.map((name, index): [string, string] => [
          name,
          incoming.rawHeaders[index * 2 + 1] ?? '',
        ]);
        resolve(new Response(Buffer.concat(chunks), { status: incoming.statusCode ?? 0, headers: pairs }));
      });
    });
    request.on('error', reject);
  });
}
