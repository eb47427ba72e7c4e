import type { Outbound } from '@platform/kernel';
import type { TokenOutcome, UpstreamClient } from '@platform/oauth-proxy';
import { LRUCache } from 'lru-cache';
import { authenticate, type ClientMethod, methodsOf } from './client-methods.ts';
import { callUpstream } from './fault.ts';
import { readTokenResponse } from './token-response.ts';

/** Tenants choose endpoints and client ids, so memory must be limited. */
const maxClients = 1000;

/** Posts to endpoints that authenticate the client, and remembers the method that a provider accepted. */
export class ClientEndpoints {
  readonly #outbound: Outbound;
  readonly #working = new LRUCache<string, ClientMethod>({ max: maxClients });

  constructor(outbound: Outbound) {
    this.#outbound = outbound;
  }

  /** Sends a request to the token endpoint. */
  async token(client: UpstreamClient, form: Readonly<Record<string, string>>): Promise<TokenOutcome> {
    const methods = this.#methods(client);
    let outcome = await this.#tokenOnce(client, methods[0], form);
    const [, second] = methods;
    if (second !== undefined && isClientRejected(outcome)) {
      const again = await this.#tokenOnce(client, second, form);
      // If both are rejected, the error of the preferred method is more useful.
      if (isClientRejected(again)) return outcome;
      this.#working.set(keyOf(client), second);
      outcome = again;
    }
    return outcome;
  }

  /** Sends a request to another endpoint with the method that the token endpoint accepted. Returns the status. */
  async post(client: UpstreamClient, url: string, form: Readonly<Record<string, string>>): Promise<number> {
    const [method] = this.#methods(client);
    const request = authenticate(client, method, form);
    return (await callUpstream(() => this.#outbound.request({ method: 'POST', url, ...request }))).status;
  }

  async #tokenOnce(
    client: UpstreamClient,
    method: ClientMethod,
    form: Readonly<Record<string, string>>,
  ): Promise<TokenOutcome> {
    const request = {
      method: 'POST',
      url: client.tokenEndpoint,
      ...authenticate(client, method, form),
    } as const;
    const { status, headers, body } = await callUpstream(() => this.#outbound.request(request));
    return readTokenResponse(status, headers['content-type'] ?? '', body.toString('utf8'));
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

/** Whether the client was rejected. A token endpoint authenticates first, so the code is still unused (RFC 6749, section 3.2.1). */
function isClientRejected(outcome: TokenOutcome): boolean {
  return outcome.outcome === 'rejected' && (outcome.error === 'invalid_client' || outcome.status === 401);
}
