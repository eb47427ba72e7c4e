import { type Outbound, OutboundError, type OutboundFailure, type OutboundRequest } from '@platform/kernel';
import type { UpstreamMetadata } from '@platform/oauth-proxy';
import { exportJWK, generateKeyPair, SignJWT } from 'jose';
import { createProviderDocuments } from '../src/documents/provider-documents.ts';
import { createUpstream } from '../src/upstream/upstream.ts';

export const ISSUER = 'https://idp.example';
export const metadata: UpstreamMetadata = {
  issuer: ISSUER,
  authorization_endpoint: `${ISSUER}/auth`,
  token_endpoint: `${ISSUER}/token`,
  jwks_uri: `${ISSUER}/keys`,
};
/** Friday 2 January 2026, noon. */
export const NOON = Date.UTC(2026, 0, 2, 12);

type Answer =
  | { status?: number; type?: string; body: string; headers?: Record<string, string> }
  | OutboundFailure;

/** An outbound module that returns prepared responses by URL; a function is called for each request. */
export class FakeOutbound implements Outbound {
  readonly sent: OutboundRequest[] = [];
  readonly answers = new Map<string, Answer | ((request: OutboundRequest) => Answer)>();

  async request(request: OutboundRequest) {
    this.sent.push(request);
    const known = this.answers.get(request.url) ?? { status: 404, body: '' };
    const answer = typeof known === 'function' ? known(request) : known;
    if (typeof answer === 'string') throw new OutboundError(answer, 'it failed');
    const headers = { 'content-type': answer.type ?? 'application/json', ...answer.headers };
    return { status: answer.status ?? 200, headers, body: Buffer.from(answer.body) };
  }

  async getJson(url: string): Promise<unknown> {
    const { status, body } = await this.request({ method: 'GET', url });
    if (status !== 200) throw new OutboundError('bad_status', 'it failed');
    return JSON.parse(body.toString());
  }

  json(url: string, value: unknown): void {
    this.answers.set(url, { body: JSON.stringify(value) });
  }

  count(url: string): number {
    return this.sent.filter((request) => request.url === url).length;
  }
}

/** An upstream over a fake network, with a clock that the test controls. */
export function provider() {
  const outbound = new FakeOutbound();
  const clock = { millis: NOON, now: () => clock.millis };
  const upstream = createUpstream({
    documents: createProviderDocuments({ outbound, clock }),
    outbound,
    clock,
    insecureOrigins: ['http://127.0.0.1:4000'],
  });
  return { outbound, clock, upstream };
}

/** A key pair of a provider. */
export async function signingKey(alg: string, kid?: string) {
  const { privateKey, publicKey } = await generateKeyPair(alg, { extractable: true });
  const jwk = { ...(await exportJWK(publicKey)), ...(kid === undefined ? {} : { kid }) };
  const sign = (claims: Record<string, unknown> = {}, header: Record<string, unknown> = {}) =>
    new SignJWT({ ...goodClaims, ...claims })
      .setProtectedHeader({ alg, ...(kid === undefined ? {} : { kid }), ...header })
      .sign(privateKey);
  return { jwk, sign, privateKey };
}

/** The claims of a valid ID token. */
export const goodClaims = {
  iss: ISSUER,
  sub: 'u1',
  aud: 'up',
  iat: NOON / 1000,
  exp: NOON / 1000 + 600,
  nonce: 'n1',
};
