import { createHash, generateKeyPairSync, type KeyObject, randomBytes, sign } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { promisify } from 'node:util';

/** The platform's registration with the provider. */
export const upstreamClient = { id: 'platform-at-upstream', secret: 'the secret of the provider' } as const;

/** An OpenID Connect provider on loopback that logs everybody in without asking. */
export interface Upstream {
  readonly url: string;
  close(): void;
}

interface Login {
  readonly nonce: string | null;
  readonly challenge: string | null;
}

const signing = promisify(sign);
const kid = 'upstream';

/** Serves discovery, keys, authorization and tokens; checks the client, its secret and PKCE as a provider does, and signs RS256. */
export async function startUpstream(): Promise<Upstream> {
  const { privateKey, publicKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
  const logins = new Map<string, Login>();
  const server = createServer(async (request, response) => {
    const { pathname, searchParams } = new URL(request.url ?? '', url);
    if (pathname === '/auth') {
      const code = randomBytes(16).toString('base64url');
      logins.set(code, {
        nonce: searchParams.get('nonce'),
        challenge: searchParams.get('code_challenge'),
      });
      const back = new URL(searchParams.get('redirect_uri') ?? '');
      back.search = new URLSearchParams({ code, state: searchParams.get('state') ?? '' }).toString();
      response.writeHead(302, { location: back.href }).end();
      return;
    }
    const answer =
      pathname === '/token'
        ? await redeem(await formOf(request), { logins, url, privateKey })
        : pathname === '/keys'
          ? { keys: [{ ...publicKey.export({ format: 'jwk' }), kid, alg: 'RS256', use: 'sig' }] }
          : metadataOf(url);
    const status = answer === undefined ? 400 : 200;
    response.writeHead(status, { 'content-type': 'application/json' });
    response.end(JSON.stringify(answer ?? { error: 'invalid_grant' }));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return { url, close: () => server.close() };
}

const metadataOf = (url: string) => ({
  issuer: url,
  authorization_endpoint: `${url}/auth`,
  token_endpoint: `${url}/token`,
  jwks_uri: `${url}/keys`,
  response_types_supported: ['code'],
  code_challenge_methods_supported: ['S256'],
  id_token_signing_alg_values_supported: ['RS256'],
  token_endpoint_auth_methods_supported: ['client_secret_post'],
});

async function formOf(request: IncomingMessage): Promise<URLSearchParams> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return new URLSearchParams(Buffer.concat(chunks).toString());
}

async function redeem(
  form: URLSearchParams,
  provider: {
    readonly logins: Map<string, Login>;
    readonly url: string;
    readonly privateKey: KeyObject;
  },
): Promise<object | undefined> {
  const { logins, url, privateKey } = provider;
  const code = form.get('code') ?? '';
  const login = logins.get(code);
  logins.delete(code);
  const challenge = sha256(form.get('code_verifier') ?? '').toString('base64url');
  const known =
    form.get('client_id') === upstreamClient.id && form.get('client_secret') === upstreamClient.secret;
  if (login === undefined || !known || login.challenge !== challenge) return undefined;
  const accessToken = `upstream-${randomBytes(24).toString('base64url')}`;
  const now = Math.floor(Date.now() / 1_000);
  const claims = {
    iss: url,
    aud: upstreamClient.id,
    sub: 'alice',
    email: 'alice@example.dev',
    iat: now,
    exp: now + 3_600,
    at_hash: sha256(accessToken).subarray(0, 16).toString('base64url'),
    ...(login.nonce !== null && { nonce: login.nonce }),
  };
  const part = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url');
  const signed = `${part({ alg: 'RS256', kid })}.${part(claims)}`;
  const signature = await signing('sha256', Buffer.from(signed), privateKey);
  return {
    access_token: accessToken,
    token_type: 'Bearer',
    expires_in: 3_600,
    id_token: `${signed}.${signature.toString('base64url')}`,
  };
}

function sha256(text: string): Buffer {
  return createHash('sha256').update(text).digest();
}
