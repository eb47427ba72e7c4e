/** One page as a browser without script sees it. */
export interface Page {
  readonly url: string;
  readonly status: number;
  readonly location: string | null;
  readonly headers: Headers;
  readonly text: string;
}

/** A browser as far as logins need one, for tests: it keeps cookies by host and name, and follows redirects when told to. */
export class ScriptlessBrowser {
  readonly #cookies = new Map<string, Map<string, string>>();
  readonly #headers: Readonly<Record<string, string>>;

  /** `headers` are sent with each request, such as those by which a browser tells a page from a program. */
  constructor(headers: Readonly<Record<string, string>> = {}) {
    this.#headers = headers;
  }

  /** Requests one page, a form posted when there is one. Redirects are not followed. */
  async open(url: string, form?: Readonly<Record<string, string>>): Promise<Page> {
    const { hostname } = new URL(url);
    const jar = this.#cookies.get(hostname) ?? new Map<string, string>();
    this.#cookies.set(hostname, jar);
    const cookie = [...jar].map(([name, value]) => `${name}=${value}`).join('; ');
    const answer = await fetch(url, {
      redirect: 'manual',
      headers: { ...this.#headers, ...(cookie === '' ? {} : { cookie }) },
      ...(form === undefined ? {} : { method: 'POST', body: new URLSearchParams(form) }),
    });
    for (const set of answer.headers.getSetCookie()) this.#keep(jar, set);
    const location = answer.headers.get('location');
    return {
      url,
      status: answer.status,
      location: location === null ? null : new URL(location, url).href,
      headers: answer.headers,
      text: await answer.text(),
    };
  }

  /** Opens a page and follows redirects, at most ten, up to the first URL that `until` holds for or the last page. */
  async follow(from: string, until: (url: string) => boolean = () => false): Promise<Page> {
    let page = await this.open(from);
    for (let steps = 0; steps < 10 && page.location !== null && !until(page.location); steps += 1) {
      page = await this.open(page.location);
    }
    return page;
  }

  /** The value of a cookie of the host, or undefined. */
  cookie(hostname: string, name: string): string | undefined {
    return this.#cookies.get(hostname)?.get(name);
  }

  /** The names of the cookies of the host. */
  cookieNames(hostname: string): readonly string[] {
    return [...(this.#cookies.get(hostname)?.keys() ?? [])];
  }

  /** Sets a cookie of the host, as an attacker on a sibling domain could. */
  plant(hostname: string, name: string, value: string): void {
    const jar = this.#cookies.get(hostname) ?? new Map<string, string>();
    this.#cookies.set(hostname, jar.set(name, value));
  }

  #keep(jar: Map<string, string>, set: string): void {
    const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(set) ?? [];
    if (value === '' || /max-age=0(;|$)/i.test(set)) jar.delete(name);
    else jar.set(name, value);
  }
}

/** Logs the person in at the development identity provider: opens its page and presses their button. Stops at `until`. */
export async function chooseAtDevelopmentProvider(
  browser: ScriptlessBrowser,
  authorizationUrl: string,
  subject: string,
  until: (url: string) => boolean,
): Promise<Page> {
  const asked = await browser.follow(authorizationUrl);
  const chosen = await browser.open(asked.url, { subject });
  return chosen.location === null || until(chosen.location)
    ? chosen
    : await browser.follow(chosen.location, until);
}
