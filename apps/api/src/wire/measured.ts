import { type Outbound, OutboundError, OutboundRefusedError } from '@platform/kernel';
import type { IdTokenSigner } from '@platform/oauth-proxy';
import type { TokenIssuer } from '@platform/tokens';
import type { Metrics } from '../http/metrics.ts';

/** Counts what is signed, by kind. */
export function measureIssuer(metrics: Pick<Metrics, 'issued'>, issuer: TokenIssuer): TokenIssuer {
  return {
    issue(kind, input, ttlSeconds) {
      const token = issuer.issue(kind, input, ttlSeconds);
      metrics.issued(kind.name);
      return token;
    },
  };
}

/** Counts the ID tokens that the OAuth proxy signs, as the kind `proxy_id`. */
export function measureIdTokens(metrics: Pick<Metrics, 'issued'>, signer: IdTokenSigner): IdTokenSigner {
  return {
    async sign(extensionUid, claims) {
      const token = await signer.sign(extensionUid, claims);
      if (token !== null) metrics.issued('proxy_id');
      return token;
    },
    publicKeys: (extensionUid) => signer.publicKeys(extensionUid),
  };
}

/** Times every request to an issuer or provider, whatever becomes of it. */
export function measureOutbound(metrics: Pick<Metrics, 'upstream'>, outbound: Outbound): Outbound {
  async function timed<T>(method: string, work: () => Promise<T>, outcomeOf: (value: T) => string) {
    const begun = performance.now();
    let outcome = 'failed';
    try {
      const value = await work();
      outcome = outcomeOf(value);
      return value;
    } catch (error) {
      if (error instanceof OutboundError || error instanceof OutboundRefusedError) outcome = error.reason;
      throw error;
    } finally {
      metrics.upstream(method, outcome, (performance.now() - begun) / 1_000);
    }
  }
  return {
    request: (request) =>
      timed(
        request.method,
        () => outbound.request(request),
        ({ status }) => `${Math.floor(status / 100)}xx`,
      ),
    getJson: (url) =>
      timed(
        'GET',
        () => outbound.getJson(url),
        () => '2xx',
      ),
  };
}
