import { createHash, randomBytes } from 'node:crypto';
import type { PlatformClient } from '@platform/client';
import { Failure } from '../failure.ts';
import type { Terminal } from '../terminal.ts';
import { listenOnLoopback } from './loopback.ts';

/** A session as the code exchange answers it. */
export interface LoginAnswer {
  readonly token: string;
  readonly expiresInSeconds: number;
}

const clientId = 'platform-cli';
const patienceMs = 5 * 60_000;
const random = () => randomBytes(32).toString('base64url');

/**
 * Logs a person in by their browser: the authorization code grant with PKCE and a loopback redirect (RFC 8252, RFC 7636).
 * Throws a Failure when it is refused, or takes longer than five minutes.
 */
export async function logInByBrowser(
  client: PlatformClient,
  terminal: Terminal,
  { browser }: { readonly browser: boolean },
): Promise<LoginAnswer> {
  const { issuer } = await metadataOf(client, terminal.signal);
  const [state, verifier] = [random(), random()];
  const loopback = await listenOnLoopback();
  const waiting = patience(terminal);
  try {
    const { redirectUri } = loopback;
    const arriving = loopback.arrival(state, waiting.signal);
    const url = authorizeUrl(client.baseUrl, { redirectUri, state, verifier });
    terminal.err(`Log in with your browser:\n\n  ${url}\n\n`);
    if (browser) await terminal.openBrowser(url);
    const code = codeOf(await arriving, issuer);
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

/** Ends the waiting by Ctrl-C or by the clock, whichever is first. */
function patience({ timers, signal }: Terminal): {
  readonly signal: AbortSignal;
  readonly cancel: () => void;
} {
  const overdue = new AbortController();
  const giveUp = () => overdue.abort(new Failure('timeout', 'nobody has logged in', 'platform login'));
  return { signal: AbortSignal.any([signal, overdue.signal]), cancel: timers.after(patienceMs, giveUp) };
}

function authorizeUrl(
  baseUrl: string,
  { redirectUri, state, verifier }: { redirectUri: string; state: string; verifier: string },
): string {
  const query = new URLSearchParams({
    response_type: 'code',
    client_id: clientId,
    redirect_uri: redirectUri,
    state,
    code_challenge: createHash('sha256').update(verifier).digest('base64url'),
    code_challenge_method: 'S256',
  });
  return `${baseUrl}/api/v1/auth/authorize?${query}`;
}

function codeOf(arrived: URLSearchParams, issuer: string): string {
  // Attack (mix-up, RFC 9207): the code of another server would be sent to this one.
  const iss = arrived.get('iss');
  if (iss !== issuer)
    throw new Failure('failed', `${iss ?? 'an unknown server'} answered instead of ${issuer}`);
  const error = arrived.get('error');
  if (error !== null) {
    throw new Failure('forbidden', `the login was refused: ${arrived.get('error_description') ?? error}`);
  }
  const code = arrived.get('code');
  if (code === null) throw new Failure('failed', 'the browser came back without a code', 'platform login');
  return code;
}

async function redeem(
  client: PlatformClient,
  { code, verifier, redirectUri }: { code: string; verifier: string; redirectUri: string },
  signal: AbortSignal,
): Promise<LoginAnswer> {
  const form = new URLSearchParams({
    grant_type: 'authorization_code',
    code,
    code_verifier: verifier,
    redirect_uri: redirectUri,
    client_id: clientId,
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
