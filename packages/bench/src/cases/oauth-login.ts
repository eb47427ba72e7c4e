import { createHash, randomBytes } from 'node:crypto';
import { Agent, request } from 'node:http';
import { driveTasks } from '../load/tasks.ts';
import { ensureExtension, extension, project } from '../stage/project.ts';
import type { BenchCase } from './case.ts';

const proxy = `/oidc/${project}/${extension}`;
const clientId = `${project}-${extension}`;
const redirectUri = 'http://localhost:3456/callback';

/** How the app asks: as by hand, which passes the provider's tokens through, or as an OpenID Connect library. */
export type Login = 'OAuth' | 'OpenID Connect';

/** A whole login, each step over HTTP: authorize, the provider, callback, and the code with its PKCE verifier for the provider's tokens. */
export function fullLogin(login: Login): BenchCase {
  return {
    name: `full ${login} login`,
    floor: 'floor: node:http',
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
  const [state, verifier, nonce] = [random(), random(), random()];
  const asked = new URLSearchParams({
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
  const toProvider = await redirectOf(agent, `${apiUrl}${proxy}/authorize?${asked}`);
  const toCallback = await redirectOf(agent, toProvider.href);
  // The platform's public address is nobody's here: its path is asked of the process that is measured.
  const toApp = await redirectOf(agent, apiUrl + toCallback.pathname + toCallback.search);
  const code = toApp.searchParams.get('code');
  if (code === null || toApp.searchParams.get('state') !== state)
    throw new Error(`the app was not sent its code: ${toApp.href}`);
  const form = new URLSearchParams({
    grant_type: 'authorization_code',
    client_id: clientId,
    redirect_uri: redirectUri,
    code,
    code_verifier: verifier,
  });
  const { status, text } = await exchange(agent, `${apiUrl}${proxy}/token`, form.toString());
  if (status !== 200) throw new Error(`token answered ${status}: ${text}`);
  const tokens = JSON.parse(text) as { access_token?: string; id_token?: string };
  if (tokens.access_token?.startsWith('upstream-') !== true)
    throw new Error('these are not the tokens of the provider');
  if (login === 'OpenID Connect' && nonceOf(tokens.id_token) !== nonce)
    throw new Error('the ID token is not of this login');
}

const random = () => randomBytes(32).toString('base64url');

function nonceOf(idToken = ''): unknown {
  const [, claims = ''] = idToken.split('.');
  return (JSON.parse(Buffer.from(claims, 'base64url').toString()) as { nonce?: unknown }).nonce;
}

async function redirectOf(agent: Agent, url: string): Promise<URL> {
  const { status, location, text } = await exchange(agent, url);
  if (status !== 302 || location === undefined) throw new Error(`${url} answered ${status}: ${text}`);
  return new URL(location);
}

interface Answer {
  readonly status: number | undefined;
  readonly location: string | undefined;
  readonly text: string;
}

/** A GET, or a POST when there is a form. Does not follow redirects. */
function exchange(agent: Agent, url: string, form?: string): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const headers = form === undefined ? {} : { 'content-type': 'application/x-www-form-urlencoded' };
    const sent = request(
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
    sent.on('timeout', () => sent.destroy(new Error(`${url} did not answer`)));
    sent.on('error', reject);
    sent.end(form);
  });
}
