import { OAuthError } from '@platform/kernel';
import { clientIdOf, type ProxyExtension } from '../model/extension.ts';
import { isClientSecret } from './client-secret.ts';
import type { Parameters } from './parameters.ts';

/** A request of a client to the token or revocation endpoint: the parameters of the form, and the `Authorization` header. */
export interface ClientRequest {
  readonly parameters: Parameters;
  readonly authorization: string | undefined;
}

/** The client of such a request: `confidential` if it proved its secret, `public` if it sent none. */
export type ClientAuthentication = 'confidential' | 'public';

/**
 * Authenticates the client of a request: `client_secret_basic`, `client_secret_post` or none (RFC 6749 section 2.3).
 * Throws `invalid_client` for a wrong client id or secret, `invalid_request` when it uses several methods.
 */
export function authenticateClient(
  { parameters, authorization }: ClientRequest,
  extension: ProxyExtension,
): ClientAuthentication {
  const basic = authorization === undefined ? null : readBasic(authorization);
  const posted = parameters.get('client_id');
  if (basic !== null && parameters.has('client_secret')) {
    throw new OAuthError('invalid_request', 'Only one way of client authentication may be used');
  }
  if (basic !== null && posted !== undefined && posted !== basic.id)
    throw invalidClient({ usedHeader: true });
  const id = basic?.id ?? posted;
  if (id === undefined) throw new OAuthError('invalid_request', 'client_id is required');
  const secret = basic?.secret ?? parameters.get('client_secret');
  // The secret is also checked for a wrong id, so that the time does not reveal which of them was wrong.
  const known = secret === undefined || isClientSecret(secret, extension.clientSecrets);
  if (id !== clientIdOf(extension) || !known) throw invalidClient({ usedHeader: basic !== null });
  // Attack: an attacker with a stolen code and verifier omits the secret to be treated as a public client.
  if (secret === undefined && extension.spec.client_type === 'confidential')
    throw invalidClient({ usedHeader: basic !== null });
  return secret === undefined ? 'public' : 'confidential';
}

/**
 * The error of a failed client authentication, with the challenge of RFC 6749 section 5.2 for a client that used the header. Other clients get
 * none: libraries such as oauth4webapi report a challenge in place of the error in the body.
 */
export function invalidClient({ usedHeader }: { readonly usedHeader: boolean }): OAuthError {
  return new OAuthError('invalid_client', 'Client authentication failed', {
    ...(usedHeader ? { challenge: 'Basic realm="oauth", charset="UTF-8"' } : {}),
  });
}

/** RFC 6749 section 2.3.1: both parts are form-encoded before they are joined. An empty secret counts as missing. */
function readBasic(authorization: string): { id: string; secret: string | undefined } {
  const encoded = /^basic +([A-Za-z0-9+/_-]+={0,2})$/i.exec(authorization.trim())?.[1];
  if (encoded === undefined) throw invalidClient({ usedHeader: true });
  const pair = Buffer.from(encoded, 'base64').toString('utf8');
  const colon = pair.indexOf(':');
  if (colon === -1) throw invalidClient({ usedHeader: true });
  const secret = formDecode(pair.slice(colon + 1));
  return { id: formDecode(pair.slice(0, colon)), secret: secret === '' ? undefined : secret };
}

function formDecode(text: string): string {
  try {
    return decodeURIComponent(text.replaceAll('+', ' '));
  } catch {
    throw invalidClient({ usedHeader: true });
  }
}
