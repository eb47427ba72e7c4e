import type { Outbound, OutboundResponse } from '@platform/kernel';
import type { TokenOutcome, UpstreamClient } from '@platform/oauth-proxy';
import { LRUCache } from 'lru-cache';
import { authenticate, type ClientMethod, methodsOf } from './client-methods.ts';
import { callUpstream } from './fault.ts';
import { readRefusal, readTokenResponse } from './token-response.ts';

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
  token(client: UpstreamClient, form: Readonly<Record<string, string>>): Promise<TokenOutcome> {
    return this.#send(client, client.tokenEndpoint, form, ({ status, headers, body }) =>
      readTokenResponse(status, headers['content-type'] ?? '', body.toString('utf8')),
    );
  }

  /**
   * Sends a request to the revocation endpoint. Returns the status; 200 for a token that the provider does not know, which Google
   * answers with an error (RFC 7009 section 2.2).
   */
  async revoke(client: UpstreamClient, url: string, form: Readonly<Record<string, string>>): Promise<number> {
    const { status, error } = await this.#send(client, url, form, (response) => ({
      outcome: response.status < 300 ? 'revoked' : 'rejected',
      status: response.status,
      error: readRefusal(response.body.toString('utf8')),
    }));
    return error === 'invalid_token' && status === 400 ? 200 : status;
  }

  /** Sends a request with the preferred method, and with the other one if the client is rejected. */
  async #send<T extends Answered>(
    client: UpstreamClient,
    url: string,
    form: Readonly<Record<string, string>>,
    read: (response: OutboundResponse) => T,
  ): Promise<T> {
    const sendWith = async (method: ClientMethod): Promise<T> => {
      const request = { method: 'POST', url, ...authenticate(client, method, form) } as const;
      return read(await callUpstream(() => this.#outbound.request(request)));
    };
    const [first, second] = this.#methods(client);
    const answer = await sendWith(first);
    if (second === undefined || !isClientRejected(answer)) return answer;
    const again = await sendWith(second);
    // If both are rejected, the error of the preferred method is more useful.
    if (isClientRejected(again)) return answer;
    this.#working.set(keyOf(client), second);
    return again;
  }

  /** The method that was accepted last comes first. The others stay, because a provider may change its methods. */
  #methods(client: UpstreamClient): readonly [ClientMethod, ...ClientMethod[]] {
    const working = this.#working.get(keyOf(client));
    const [first = 'client_secret_post', ...others] = methodsOf(client);
    if (working === undefined) return [first, ...others];
    return [working, ...[first, ...others].filter((method) => method !== working)];
  }
}

/** A response that may reject the client. */
interface Answered {
  readonly outcome: string;
  readonly status?: number;
  readonly error?: string | null;
}

function keyOf({ tokenEndpoint, clientId }: UpstreamClient): string {
  return JSON.stringify([tokenEndpoint, clientId]);
}

/** Whether the client was rejected. A token endpoint authenticates first, so the code is still unused (RFC 6749, section 3.2.1). */
function isClientRejected({ outcome, status, error }: Answered): boolean {
  return outcome === 'rejected' && (error === 'invalid_client' || status === 401);
}
