import {
  type LoginPorts,
  type NativeLoginRequest,
  startBrowserLogin,
  startNativeLogin,
} from '@platform/login';
import { z } from 'zod';
import { endpoint } from '../../endpoint/descriptor.ts';
import { singleParameters } from '../../http/query-parameters.ts';
import type { CookieSettings } from './cookies.ts';
import { loginRedirect } from './login-redirect.ts';

/** The dependencies of both logins. */
interface StartDeps {
  readonly ports: LoginPorts;
  readonly cookies: CookieSettings;
}

const text = (description: string, example: string) => z.string().meta({ description, example });
const headers = { Location: 'Where the browser goes.' };

/** `GET /api/v1/auth/login?redirect=`: login in a browser. */
export const browserLogin = endpoint({
  method: 'GET',
  path: '/api/v1/auth/login',
  id: 'login',
  tag: 'Login',
  summary: 'Log in with a browser',
  access: 'public',
  limit: 'credentials',
  query: z.object({
    redirect: text('A path of the platform or the URL of a project, for afterwards.', '/docs').optional(),
  }),
  responses: { 303: { description: 'To the identity provider.', headers } },
  problems: ['invalid_query', 'rate_limited'],
  handle: async ({ ports, cookies }: StartDeps, { query }, call) =>
    loginRedirect(await startBrowserLogin(ports, query.redirect ?? '/'), cookies, call),
});

/** `GET /api/v1/auth/authorize`: the OAuth authorization endpoint for native clients of the platform. */
export const nativeLogin = endpoint({
  method: 'GET',
  path: '/api/v1/auth/authorize',
  id: 'authorize',
  tag: 'Login',
  summary: 'Log in with a native client',
  description: 'The authorization endpoint of RFC 6749 for native clients (RFC 8252), with PKCE.',
  access: 'public',
  limit: 'credentials',
  // For the document: which faults are redirected to the client and which are not is for the use case to decide.
  documentedQuery: z.object({
    response_type: text('`code`', 'code'),
    client_id: text('`platform-cli`', 'platform-cli'),
    redirect_uri: text('A loopback address, any port.', 'http://127.0.0.1:49152/callback'),
    state: text('Comes back with the code.', 'af0ifjsldkj'),
    code_challenge: text('PKCE.', 'E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM'),
    code_challenge_method: text('`S256`', 'S256'),
    nonce: text('Comes back in the ID token.', 'n-0S6_WzA2Mj').optional(),
    prompt: text('Of `login`, `consent` and `select_account`; passed on.', 'login').optional(),
    max_age: text('Seconds since the user was authenticated, at most.', '3600').optional(),
  }),
  responses: { 303: { description: 'To the identity provider, or with an error to the client.', headers } },
  problems: ['invalid_query', 'rate_limited'],
  async handle({ ports, cookies }: StartDeps, _input, call) {
    const login = readNativeLogin(singleParameters(call.searchParams));
    return loginRedirect(await startNativeLogin(ports, login), cookies, call);
  },
});

function readNativeLogin(parameters: ReadonlyMap<string, string>): NativeLoginRequest {
  const value = (name: string) => parameters.get(name) ?? null;
  return {
    clientId: value('client_id'),
    redirectUri: value('redirect_uri'),
    responseType: value('response_type'),
    responseMode: value('response_mode'),
    state: value('state'),
    codeChallenge: value('code_challenge'),
    codeChallengeMethod: value('code_challenge_method'),
    nonce: value('nonce'),
    request: value('request'),
    requestUri: value('request_uri'),
    prompt: value('prompt'),
    maxAge: value('max_age'),
  };
}
