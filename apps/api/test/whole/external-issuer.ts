import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { exportJWK, generateKeyPair, type JWTPayload, SignJWT } from 'jose';

/** An identity provider of a CI system or a cluster, on loopback: it signs whatever a test wants. */
export class ExternalIssuer {
  readonly #server: Server;
  #key: { readonly kid: string; readonly privateKey: CryptoKey; readonly jwk: object } | undefined;
  #sequence = 0;
  url = '';

  constructor() {
    this.#server = createServer((request, response) => {
      const documents: Record<string, unknown> = {
        '/.well-known/openid-configuration': { issuer: this.url, jwks_uri: `${this.url}/jwks` },
        '/jwks': { keys: [this.#key?.jwk] },
      };
      response.setHeader('Content-Type', 'application/json');
      response.end(JSON.stringify(documents[request.url ?? ''] ?? {}));
    });
  }

  async start(): Promise<this> {
    this.#server.listen(0, '127.0.0.1');
    await once(this.#server, 'listening');
    this.url = `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
    await this.rotate();
    return this;
  }

  /** Replaces the key: from now on only the new one is published. */
  async rotate(): Promise<void> {
    this.#sequence += 1;
    const kid = `key-${this.#sequence}`;
    const { publicKey, privateKey } = await generateKeyPair('RS256', { extractable: true });
    this.#key = { kid, privateKey, jwk: { ...(await exportJWK(publicKey)), kid, alg: 'RS256', use: 'sig' } };
  }

  /** A token with these claims, and `iss` and ten minutes to live unless they say otherwise. */
  async token(claims: JWTPayload): Promise<string> {
    if (this.#key === undefined) throw new Error('the issuer has not been started');
    const now = Math.floor(Date.now() / 1000);
    return await new SignJWT({ iss: this.url, iat: now, exp: now + 600, ...claims })
      .setProtectedHeader({ alg: 'RS256', kid: this.#key.kid })
      .sign(this.#key.privateKey);
  }

  async close(): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise((resolve) => this.#server.close(resolve));
  }
}
