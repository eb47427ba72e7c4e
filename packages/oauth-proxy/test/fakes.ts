import type { Sealer } from '@platform/kernel';
import type {
  Claims,
  Discovery,
  IdTokenExpectation,
  ProxyExtension,
  TokenOutcome,
  Upstream,
  UpstreamClient,
} from '../src/index.ts';
import { UpstreamFault } from '../src/index.ts';

/** Predictable bytes, each call different. */
export function countedBytes(): { bytes(length: number): Uint8Array } {
  let calls = 0;
  return {
    bytes(length) {
      calls += 1;
      return new Uint8Array(length).fill(calls);
    },
  };
}

/** Seals by writing the context next to the text: enough to see that it is asked for. */
export const openSealer: Sealer = {
  seal: (plaintext, context) => JSON.stringify([plaintext, sorted(context)]),
  unseal(sealed, context) {
    try {
      const [plaintext, written] = JSON.parse(sealed) as [string, unknown];
      return JSON.stringify(written) === JSON.stringify(sorted(context)) ? plaintext : null;
    } catch {
      return null;
    }
  },
};

function sorted(context: object): unknown {
  return Object.entries(context).sort();
}

/** An upstream that answers what it was told to, and remembers what it was asked. */
export class FakeUpstream implements Upstream {
  readonly asked: { readonly method: string; readonly argument: unknown }[] = [];
  discovery: Discovery | UpstreamFault = {
    metadata: {
      issuer: 'https://idp.example',
      authorization_endpoint: 'https://idp.example/auth',
      token_endpoint: 'https://idp.example/token',
      jwks_uri: 'https://idp.example/keys',
      userinfo_endpoint: 'https://idp.example/me',
      revocation_endpoint: 'https://idp.example/revoke',
    },
    clockSkewMs: 0,
  };
  outcome: TokenOutcome | UpstreamFault = {
    outcome: 'tokens',
    answer: {
      access_token: 'at',
      token_type: 'bearer',
      expires_in: 3600,
      refresh_token: 'rt',
      id_token: 'idt',
    },
  };
  claims: Claims | UpstreamFault = {
    iss: 'https://idp.example',
    sub: 'u1',
    aud: 'up',
    azp: 'up',
    iat: 1,
    exp: 2,
  };
  publishedKeys: readonly Record<string, unknown>[] = [];
  userinfoAnswer = { status: 200, contentType: 'application/json', body: '{"sub":"u1"}' };
  revocationStatus = 200;

  async discover(issuerUrl: string): Promise<Discovery> {
    return this.#answer('discover', issuerUrl, this.discovery);
  }
  async exchangeCode(client: UpstreamClient, grant: object): Promise<TokenOutcome> {
    return this.#answer('exchangeCode', { client, grant }, this.outcome);
  }
  async refresh(client: UpstreamClient, grant: object): Promise<TokenOutcome> {
    return this.#answer('refresh', { client, grant }, this.outcome);
  }
  async verifyIdToken(idToken: string, expected: IdTokenExpectation): Promise<Claims> {
    return this.#answer('verifyIdToken', { idToken, expected }, this.claims);
  }
  async keys(_metadata: unknown, options?: { readonly fresh: boolean }) {
    return this.#answer('keys', options ?? null, this.publishedKeys);
  }
  async userinfo(endpoint: string, accessToken: string) {
    return this.#answer('userinfo', { endpoint, accessToken }, this.userinfoAnswer);
  }
  async revoke(_client: UpstreamClient, endpoint: string, token: object): Promise<number> {
    return this.#answer('revoke', { endpoint, token }, this.revocationStatus);
  }

  last(method: string): unknown {
    return this.asked.findLast((call) => call.method === method)?.argument;
  }

  #answer<T>(method: string, argument: unknown, answer: T | UpstreamFault): T {
    this.asked.push({ method, argument });
    if (answer instanceof UpstreamFault) throw answer;
    return answer;
  }
}

/** The extension that most tests log in through. */
export function anExtension(changes: Partial<ProxyExtension> = {}): ProxyExtension {
  const uids = { projectUid: 'project-uid', extensionUid: 'extension-uid' };
  return {
    ...uids,
    project: 'shop',
    extension: 'login',
    projectUrl: 'https://shop.example',
    customDomains: ['https://www.shop.example:8443'],
    spec: { provider_name: 'Example', client_id: 'up', issuer_url: 'https://idp.example' },
    sealedUpstreamSecret: openSealer.seal('upstream secret', {
      purpose: 'upstream_client_secret',
      project: uids.projectUid,
      extension: uids.extensionUid,
    }),
    clientSecrets: [],
    ...changes,
  };
}
