import { createHash, randomBytes } from 'node:crypto';
import type { PlatformClient } from 'platform-service-client';
import { Failure } from '../failure.ts';
import type { Terminal } from '../terminal.ts';
import { listenOnLoopback } from './loopback.ts';

/** The session that a login returns. */
export interface LoginResult {
  readonly token: string;
  readonly expiresInSeconds: number;
}

/** The client id of this program. */
export const nativeClientId = 'platform-cli';
const timeoutMs = 5 * 60_000;
const random = () => randomBytes(32).toString('base64url');

/**
 * Logs in with the browser: authorization code grant with PKCE and a loopback redirect (RFC 8252, RFC 7636). Throws a Failure when
 * the login is rejected or takes longer than five minutes.
 */
export async function logInByBrowser(
  client: PlatformClient,
  terminal: Terminal,
  { browser }: { readonly browser: boolean },
): Promise<LoginResult> {
  const { issuer } = await metadataOf(client, terminal.signal);
  const [state, verifier] = [random(), random()];
  const loopback = await listenOnLoopback();
  const waiting = loginTimeout(terminal);
  try {
    const { redirectUri } = loopback;
    const redirect = loopback.redirect(state, waiting.signal);
    const url = authorizeUrl(client.baseUrl, { redirectUri, state, verifier });
    terminal.err(`Log in with your browser:\n\n  ${url}\n\n`);
    if (browser) await terminal.openBrowser(url);
    const code = codeOf(await redirect, issuer);
    return await redeem(client, { code, verifier, redirectUri }, terminal.signal);
  } finally {
    waiting.cancel();
    loopback.close();
  }
}

async function metadataOf(client: PlatformClient, signal: AbortSignal): Promise<{ issuer: string }> {
  const { text } = await client.send({ method: 'GET', path: '/.well-known/openid-configuration', signal });
  return JSON.parse(text);
}

/** A signal that is aborted by Ctrl-C or after the timeout. */
function loginTimeout({ timers, signal }: Terminal): {
  readonly signal: AbortSignal;
  readonly cancel: () => void;
} {
  const timeout = new AbortController();
  const abort = () =>
    timeout.abort(
      new Failure('timeout', 'timed out waiting for the browser login', 'try again with: platform login'),
    );
  return { signal: AbortSignal.any([signal, timeout.signal]), cancel: timers.after(timeoutMs, abort) };
}

function authorizeUrl(
  baseUrl: string,
  { redirectUri, state, verifier }: { redirectUri: string; state: string; verifier: string },
): string {
  const query = new URLSearchParams({
    response_type: 'code',
    client_id: nativeClientId,
    redirect_uri: redirectUri,
    state,
    code_challenge: createHash('sha256').update(verifier).digest('base64url'),
    code_challenge_method: 'S256',
  });
  return `${baseUrl}/api/v1/auth/authorize?${query}`;
}

function codeOf(parameters: URLSearchParams, issuer: string): string {
  // Attack (mix-up, RFC 9207): the code of another authorization server would be sent to this one.
  const iss = parameters.get('iss');
  if (iss !== issuer) {
    const source = iss ?? 'a server that does not name itself';
    throw new Failure('failed', `login rejected: the response is from ${source}, expected ${issuer}`);
  }
  const error = parameters.get('error');
  if (error !== null) {
    throw new Failure('forbidden', `login rejected: ${parameters.get('error_description') ?? error}`);
  }
  const code = parameters.get('code');
  if (code === null)
    throw new Failure(
      'failed',
      'login failed: the redirect contains no authorization code',
      'try again with: platform login',
    );
  return code;
}

async function redeem(
  client: PlatformClient,
  { code, verifier, redirectUri }: { code: string; verifier: string; redirectUri: string },
  signal: AbortSignal,
): Promise<LoginResult> {
  const form = new URLSearchParams({
    grant_type: 'authorization_code',
    code,
    code_verifier: verifier,
    redirect_uri: redirectUri,
    client_id: nativeClientId,
  });
  const { text } = await client.send({
    method: 'POST',
    path: '/api/v1/auth/code/exchange',
    body: form.toString(),
    contentType: 'application/x-www-form-urlencoded',
    signal,
  });
  const { access_token: token, expires_in: expiresInSeconds } = JSON.parse(text);
  return { token, expiresInSeconds };
}
