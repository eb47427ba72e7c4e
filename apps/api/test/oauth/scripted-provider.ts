import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { stringifyExact } from '@platform/oauth-proxy';
import { CompactSign, exportJWK, generateKeyPair } from 'jose';
import { close, listen } from './loopback.ts';
import { UPSTREAM_CLIENT } from './upstream-client.ts';

/** One request that the provider got. */
export interface ReceivedRequest {
  readonly path: string;
  readonly headers: IncomingMessage['headers'];
  readonly form: URLSearchParams;
}

type Handler = (request: ReceivedRequest, response: ServerResponse) => void | Promise<void>;

/** Making a key takes longer than a test, so all providers of a test file begin with the same one. */
const firstKey = generateKeyPair('RS256', { extractable: true });

/** A provider that answers what the test says, and well until then. */
export class ScriptedProvider {
  readonly received: ReceivedRequest[] = [];
  readonly handlers = new Map<string, Handler>();
  issuer = '';
  /** Claims of the ID token beyond the usual ones. */
  claims: Record<string, unknown> = {};
  #nonce: string | null = null;
  #key: { kid: string; pair: Awaited<ReturnType<typeof generateKeyPair>> } | null = null;
  readonly #server = createServer((request, response) => void this.#answer(request, response));

  async start(): Promise<this> {
    this.issuer = await listen(this.#server);
    this.#key = { kid: 'key-1', pair: await firstKey };
    this.handlers.set('/.well-known/openid-configuration', (_request, response) =>
      json(response, this.metadata),
    );
    this.handlers.set('/keys', async (_request, response) => json(response, { keys: [await this.jwk()] }));
    this.handlers.set('/token', async (_request, response) => json(response, await this.tokens()));
    this.handlers.set('/me', (_request, response) => json(response, { sub: 'alice' }));
    return this;
  }

  stop(): Promise<void> {
    return close(this.#server);
  }

  get metadata() {
    return {
      issuer: this.issuer,
      authorization_endpoint: `${this.issuer}/auth`,
      token_endpoint: `${this.issuer}/token`,
      jwks_uri: `${this.issuer}/keys`,
      userinfo_endpoint: `${this.issuer}/me`,
      token_endpoint_auth_methods_supported: ['client_secret_post'],
    };
  }

  /** Replaces the signing key. */
  async rotate(kid: string): Promise<void> {
    this.#key = { kid, pair: await generateKeyPair('RS256', { extractable: true }) };
  }

  async jwk() {
    if (this.#key === null) throw new Error('not started');
    return { ...(await exportJWK(this.#key.pair.publicKey)), kid: this.#key.kid, alg: 'RS256', use: 'sig' };
  }

  /** A good token answer, for the nonce of the last login. */
  async tokens(): Promise<Record<string, unknown>> {
    return {
      access_token: 'at',
      token_type: 'bearer',
      expires_in: 3600,
      refresh_token: 'rt',
      id_token: await this.idToken(),
    };
  }

  async idToken(): Promise<string> {
    if (this.#key === null) throw new Error('not started');
    const now = Math.floor(Date.now() / 1000);
    const claims = {
      iss: this.issuer,
      aud: UPSTREAM_CLIENT.id,
      sub: 'alice',
      iat: now,
      exp: now + 3600,
      nonce: this.#nonce,
      ...this.claims,
    };
    return new CompactSign(Buffer.from(stringifyExact(claims)))
      .setProtectedHeader({ alg: 'RS256', kid: this.#key.kid })
      .sign(this.#key.pair.privateKey);
  }

  /** Plays the login page: takes the URL that the browser was sent to, and returns the callback URL with an answer. */
  answerLogin(authorizeUrl: string, answer: Record<string, string> = { code: 'upstream code' }): string {
    const { searchParams } = new URL(authorizeUrl);
    this.#nonce = searchParams.get('nonce');
    const back = new URL(searchParams.get('redirect_uri') ?? '');
    back.search = new URLSearchParams({ ...answer, state: searchParams.get('state') ?? '' }).toString();
    return back.href;
  }

  async #answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const path = (request.url ?? '').split('?')[0] ?? '';
    const received = {
      path,
      headers: request.headers,
      form: new URLSearchParams(Buffer.concat(chunks).toString()),
    };
    this.received.push(received);
    const handler = this.handlers.get(path);
    if (handler === undefined) json(response, {}, 404);
    else await handler(received, response);
  }
}

/** Answers JSON. */
export function json(response: ServerResponse, value: unknown, status = 200): void {
  response.writeHead(status, { 'Content-Type': 'application/json' }).end(JSON.stringify(value));
}

/** Answers a page. */
export function html(response: ServerResponse, status = 200): void {
  response.writeHead(status, { 'Content-Type': 'text/html' }).end('<html><body>secret detail</body></html>');
}
