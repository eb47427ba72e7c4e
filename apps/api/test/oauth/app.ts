import { documentedFetch } from '../openapi/documented-fetch.ts';
import type { TestApp } from './platform.ts';
import type { ScriptedProvider } from './scripted-provider.ts';

export const APP = 'http://localhost:3456/cb';
/** The scope that makes a request one of OpenID Connect. */
export const OIDC = { response_type: 'code', client_id: 'shop-login', scope: 'openid' };

/** An app written by hand against docs/oauth-proxy.md, with a scripted provider at the other end. */
export class HandmadeApp {
  readonly #app: TestApp;
  readonly #provider: ScriptedProvider;

  constructor(app: TestApp, provider: ScriptedProvider) {
    this.#app = app;
    this.#provider = provider;
  }

  /** Asks for a URL of the proxy and does not follow. */
  get(url: string, headers: Record<string, string> = {}): Promise<Response> {
    return documentedFetch(url, { redirect: 'manual', headers });
  }

  authorize(query: Record<string, string> = {}, headers: Record<string, string> = {}): Promise<Response> {
    const parameters = new URLSearchParams({ redirect_uri: APP, state: 'app state', ...query });
    return this.get(`${this.#app.issuer}/authorize?${parameters}`, headers);
  }

  /** Begins a login and returns the callback URL that the provider sends the browser to. */
  async toCallback(query: Record<string, string> = {}, answer?: Record<string, string>): Promise<string> {
    const response = await this.authorize(query);
    if (response.status !== 302)
      throw new Error(`authorize answered ${response.status}: ${await response.text()}`);
    return this.#provider.answerLogin(response.headers.get('location') ?? '', answer);
  }

  /** Logs in and returns the parameters that come back to the app. */
  async login(
    query: Record<string, string> = {},
    answer?: Record<string, string>,
  ): Promise<Record<string, string>> {
    const response = await this.get(await this.toCallback(query, answer));
    if (response.status !== 302)
      throw new Error(`callback answered ${response.status}: ${await response.text()}`);
    return Object.fromEntries(new URL(response.headers.get('location') ?? '').searchParams);
  }

  /** Posts to the token endpoint with client id and secret, unless told otherwise; null leaves a member out. */
  token(
    form: Record<string, string | null>,
    headers: Record<string, string> = {},
    issuer = this.#app.issuer,
  ): Promise<Response> {
    const whole = {
      grant_type: 'authorization_code',
      client_id: this.#app.clientId,
      client_secret: this.#app.secret,
      ...form,
    };
    const pairs = Object.entries(whole).filter((pair): pair is [string, string] => pair[1] !== null);
    return documentedFetch(`${issuer}/token`, { method: 'POST', body: new URLSearchParams(pairs), headers });
  }

  /** Logs in and redeems the code. */
  async tokens(query: Record<string, string> = {}): Promise<Record<string, unknown>> {
    const { code = '' } = await this.login(query);
    const response = await this.token({ code });
    return (await response.json()) as Record<string, unknown>;
  }
}
