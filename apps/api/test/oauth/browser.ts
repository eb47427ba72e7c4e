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
    const response = await fetch(url, {
      redirect: 'manual',
      headers: { Accept: 'text/html', ...(cookie === '' ? {} : { Cookie: cookie }) },
    });
    for (const line of response.headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? [];
      if (value === '' || /expires=Thu, 01 Jan 1970/i.test(line)) jar.delete(name);
      else jar.set(name, value);
    }
    return response;
  }
}
