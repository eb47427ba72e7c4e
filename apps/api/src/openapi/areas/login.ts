import { type Endpoint, type Parameter, ref, type Schema } from '../endpoint.ts';

const tag = 'Login';
const text: Schema = { type: 'string' };
const redirected = { Location: 'Where the browser goes.' };

function query(name: string, description: string, example: string, more: Partial<Parameter> = {}): Parameter {
  return { name, in: 'query', description, schema: text, example, ...more };
}

const required = { required: true } as const;

/** Login of people, in browsers and native clients. */
export function loginEndpoints(): readonly Endpoint[] {
  return [
    {
      method: 'get',
      path: '/api/v1/auth/login',
      id: 'login',
      tag,
      credential: 'none',
      summary: 'Log in with a browser',
      parameters: [
        query('redirect', 'A path of the platform or the URL of a project, for afterwards.', '/docs'),
      ],
      answers: { 303: { description: 'To the identity provider.', headers: redirected } },
      problems: ['invalid_query', 'rate_limited'],
    },
    {
      method: 'get',
      path: '/api/v1/auth/authorize',
      id: 'authorize',
      tag,
      credential: 'none',
      summary: 'Log in with a native client',
      description: 'The authorization endpoint of RFC 6749 for native clients (RFC 8252), with PKCE.',
      parameters: [
        query('response_type', '`code`', 'code', required),
        query('client_id', '`platform-cli`', 'platform-cli', required),
        query('redirect_uri', 'A loopback address, any port.', 'http://127.0.0.1:49152/callback', required),
        query('state', 'Comes back with the code.', 'af0ifjsldkj', required),
        query('code_challenge', 'PKCE.', 'E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM', required),
        query('code_challenge_method', '`S256`', 'S256', required),
        query('nonce', 'Comes back in the ID token.', 'n-0S6_WzA2Mj'),
      ],
      answers: {
        303: {
          description: 'To the identity provider, or with an error to the client.',
          headers: redirected,
        },
      },
      problems: ['invalid_query', 'rate_limited'],
    },
    {
      method: 'get',
      path: '/api/v1/auth/callback',
      id: 'loginCallback',
      tag,
      credential: 'none',
      summary: 'Come back from the identity provider',
      parameters: [
        query('code', 'Of the identity provider.', 'SplxlOBeZQQYbYS6WxSbIA'),
        query('state', 'Of the platform.', 'af0ifjsldkj'),
        query('error', 'Instead of a code.', 'access_denied'),
      ],
      answers: {
        200: {
          description: 'A page that asks to confirm a native login.',
          schema: text,
          mediaType: 'text/html',
        },
        303: { description: 'To where the login was started for.', headers: redirected },
      },
      problems: ['invalid_query', 'forbidden', 'rate_limited'],
    },
    {
      method: 'post',
      path: '/api/v1/auth/authorize/confirm',
      id: 'confirmNativeLogin',
      tag,
      credential: 'none',
      summary: 'Answer the page that asks to confirm a native login',
      description: 'For browsers: `Origin` must be the platform itself.',
      parameters: [query('choice', '`allow`; anything else refuses.', 'allow')],
      answers: { 303: { description: 'To the client, with a code or an error.', headers: redirected } },
      problems: ['invalid_query', 'forbidden', 'rate_limited'],
    },
    {
      method: 'post',
      path: '/api/v1/auth/logout',
      id: 'logout',
      tag,
      credential: 'none',
      summary: 'Remove the session cookie',
      answers: { 204: { description: 'Removed.', headers: { 'Set-Cookie': 'Empty and expired.' } } },
      problems: ['forbidden'],
    },
    {
      method: 'get',
      path: '/api/v1/auth/me',
      id: 'whoAmI',
      tag,
      credential: 'caller',
      summary: 'Say who the caller is',
      answers: { 200: { description: 'The caller.', schema: ref('Caller') } },
    },
  ];
}
