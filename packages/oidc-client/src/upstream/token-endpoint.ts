import type { Outbound } from '@platform/kernel';
import type { TokenOutcome, UpstreamClient } from '@platform/oauth-proxy';
import { LRUCache } from 'lru-cache';
import { authenticated, type ClientMethod, methodsOf } from './client-methods.ts';
import { asUpstream } from './fault.ts';
import { readTokenAnswer } from './token-answer.ts';

/** Tenants choose endpoints and client ids, so memory needs a bound. */
const maxClients = 1000;

/** Posts to endpoints that authenticate the client, and remembers which way of authenticating a provider took. */
export class ClientEndpoints {
  readonly #outbound: Outbound;
  readonly #working = new LRUCache<string, ClientMethod>({ max: maxClients });

  constructor(outbound: Outbound) {
    this.#outbound = outbound;
  }

  /** A request to the token endpoint. */
  async token(client: UpstreamClient, form: Readonly<Record<string, string>>): Promise<TokenOutcome> {
    const methods = this.#methods(client);
    let outcome = await this.#tokenOnce(client, methods[0], form);
    const [, second] = methods;
    if (second !== undefined && isClientRefusal(outcome)) {
      const again = await this.#tokenOnce(client, second, form);
      // What the preferred way was refused with says more, unless the second one got further.
      if (isClientRefusal(again)) return outcome;
      this.#working.set(keyOf(client), second);
      outcome = again;
    }
    return outcome;
  }

  /** A request to another endpoint, in the way that the token endpoint took; returns the status. */
  async post(client: UpstreamClient, url: string, form: Readonly<Record<string, string>>): Promise<number> {
    const [method] = this.#methods(client);
    const request = authenticated(client, method, form);
    return (await asUpstream(() => this.#outbound.request({ method: 'POST', url, ...request }))).status;
  }

  async #tokenOnce(
    client: UpstreamClient,
    method: ClientMethod,
    form: Readonly<Record<string, string>>,
  ): Promise<TokenOutcome> {
    const request = {
      method: 'POST',
      url: client.tokenEndpoint,
      ...authenticated(client, method, form),
    } as const;
    const { status, headers, body } = await asUpstream(() => this.#outbound.request(request));
    return readTokenAnswer(status, headers['content-type'] ?? '', body.toString('utf8'));
  }

  #methods(client: UpstreamClient): readonly [ClientMethod, ...ClientMethod[]] {
    const working = this.#working.get(keyOf(client));
    const [first = 'client_secret_post', ...others] = methodsOf(client);
    return working === undefined ? [first, ...others] : [working];
  }
}

function keyOf({ tokenEndpoint, clientId }: UpstreamClient): string {
  return JSON.stringify([tokenEndpoint, clientId]);
}

/** Authentication comes first at a token endpoint, so a refused client has used up no code (RFC 6749, section 3.2.1). */
function isClientRefusal(outcome: TokenOutcome): boolean {
  return outcome.outcome === 'rejected' && (outcome.error === 'invalid_client' || outcome.status === 401);
}
