import { createSign, generateKeyPairSync } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

/** An issuer of controllers' tokens, on loopback. */
export interface Issuer {
  readonly url: string;
  /** A fresh token of the benchmark's controller, valid for an hour. */
  token(): string;
  close(): void;
}

/** Serves discovery and JWKS, as a cluster's issuer of service account tokens does. */
export async function startIssuer(): Promise<Issuer> {
  const { privateKey, publicKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
  const kid = 'bench';
  const server = createServer((request, response) => {
    const body = request.url?.endsWith('/keys')
      ? { keys: [{ ...publicKey.export({ format: 'jwk' }), kid, alg: 'RS256', use: 'sig' }] }
      : { issuer: url, jwks_uri: `${url}/keys`, id_token_signing_alg_values_supported: ['RS256'] };
    response.setHeader('content-type', 'application/json').end(JSON.stringify(body));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  let serial = 0;
  const part = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url');
  return {
    url,
    token() {
      const now = Math.floor(Date.now() / 1_000);
      serial += 1;
      const claims = { iss: url, aud: 'platform', sub: `bench-${serial}`, iat: now, exp: now + 3_600 };
      const signed = `${part({ alg: 'RS256', kid })}.${part(claims)}`;
      return `${signed}.${createSign('sha256').update(signed).sign(privateKey, 'base64url')}`;
    },
    close: () => server.close(),
  };
}
