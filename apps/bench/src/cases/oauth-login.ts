import { createHash, randomBytes } from 'node:crypto';
import { Agent, request } from 'node:http';
import type { BenchCase } from '../bench-case.ts';
import { ensureExtension, extension, project } from '../fixture/api.ts';
import { driveTasks } from '../load/tasks.ts';

const proxy = `/oidc/${project}/${extension}`;
const clientId = `${project}-${extension}`;
const redirectUri = 'http://localhost:3456/callback';

/** The kind of request of the app: plain OAuth, which passes the provider's tokens through, or OpenID Connect as a library sends it. */
type Login = 'OAuth' | 'OpenID Connect';

/** A complete login over HTTP: authorize, the provider, callback, and the exchange of the code with its PKCE verifier. */
export function fullLogin(login: Login): BenchCase {
  return {
    name: `full ${login} login`,
    baseline: 'baseline: node:http',
    async run({ api, programs, sql, upstream }, load) {
      await ensureExtension(sql, api, upstream.url);
      const agent = new Agent({ keepAlive: true, maxSockets: load.connections });
      try {
        return await driveTasks(programs.api, load, () => logIn(agent, programs.api.url, login));
      } finally {
        agent.destroy();
      }
    },
  };
}

async function logIn(agent: Agent, apiUrl: string, login: Login): Promise<void> {
  const [state, verifier, nonce] = [randomText(), randomText(), randomText()];
  const parameters = new URLSearchParams({
    redirect_uri: redirectUri,
    state,
    code_challenge: createHash('sha256').update(verifier).digest('base64url'),
    code_challenge_method: 'S256',
    ...(login === 'OpenID Connect' && {
      response_type: 'code',
      client_id: clientId,
      scope: 'openid email',
      nonce,
    }),
  });
  const toProvider = await redirectOf(agent, `${apiUrl}${proxy}/authorize?${parameters}`);
  const toCallback = await redirectOf(agent, toProvider.href);
  // The public URL of the platform does not exist here, so the request goes to the same path of the measured process.
  const toApp = await redirectOf(agent, apiUrl + toCallback.pathname + toCallback.search);
  const code = toApp.searchParams.get('code');
  if (code === null || toApp.searchParams.get('state') !== state)
    throw new Error(`the redirect to the app has no code: ${toApp.href}`);
  const form = new URLSearchParams({
    grant_type: 'authorization_code',
    client_id: clientId,
    redirect_uri: redirectUri,
    code,
    code_verifier: verifier,
  });
  const { status, text } = await send(agent, `${apiUrl}${proxy}/token`, form.toString());
  if (status !== 200) throw new Error(`the token endpoint returned ${status}: ${text}`);
  const tokens = JSON.parse(text) as { access_token?: string; id_token?: string };
  if (tokens.access_token?.startsWith('upstream-') !== true)
    throw new Error('the token is not from the provider');
  if (login === 'OpenID Connect' && nonceOf(tokens.id_token) !== nonce)
    throw new Error('the ID token belongs to another login');
}

const randomText = () => randomBytes(32).toString('base64url');

function nonceOf(idToken = ''): unknown {
  const [, claims = ''] = idToken.split('.');
  return (JSON.parse(Buffer.from(claims, 'base64url').toString()) as { nonce?: unknown }).nonce;
}

async function redirectOf(agent: Agent, url: string): Promise<URL> {
  const { status, location, text } = await send(agent, url);
  if (status !== 302 || location === undefined) throw new Error(`${url} returned ${status}: ${text}`);
  return new URL(location);
}

interface ReceivedResponse {
  readonly status: number | undefined;
  readonly location: string | undefined;
  readonly text: string;
}

/** Sends a GET, or a POST if there is a form. Does not follow redirects. */
function send(agent: Agent, url: string, form?: string): Promise<ReceivedResponse> {
  return new Promise((resolve, reject) => {
    const headers = form === undefined ? {} : { 'content-type': 'application/x-www-form-urlencoded' };
    const outgoing = request(
      url,
      { agent, headers, method: form === undefined ? 'GET' : 'POST', timeout: 10_000 },
      (response) => {
        let text = '';
        response.setEncoding('utf8');
        response.on('data', (chunk: string) => {
          text += chunk;
        });
        response.on('error', reject);
        response.on('end', () =>
          resolve({ status: response.statusCode, location: response.headers.location, text }),
        );
      },
    );
    outgoing.on('timeout', () => outgoing.destroy(new Error(`${url} did not respond`)));
    outgoing.on('error', reject);
    outgoing.end(form);
  });
}
