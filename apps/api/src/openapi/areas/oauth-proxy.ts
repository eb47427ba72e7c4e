import { type Body, type Credential, type Endpoint, type Parameter, ref, type Schema } from '../endpoint.ts';
import { examplesOf } from '../examples.ts';

const tag = 'OAuth proxy';
const root = '/oidc/{project}/{extension}';
const text: Schema = { type: 'string' };
const shared = { tag, credential: 'none' } as const;

/** What every endpoint of the proxy may answer. */
const everywhere: Readonly<Record<number, readonly string[]>> = {
  400: ['invalid_request'],
  404: ['invalid_request'],
  429: ['temporarily_unavailable'],
  500: ['server_error'],
  502: ['server_error'],
  503: ['temporarily_unavailable'],
};

function query(name: string, description: string, schema: Schema = text): Parameter {
  return { name, in: 'query', description, schema };
}

function form(schema: Schema, id: string): Body {
  return { mediaTypes: ['application/x-www-form-urlencoded'], schema, examples: examplesOf(id) };
}

function preflight(path: string, id: string): Endpoint {
  return {
    ...shared,
    method: 'options',
    path,
    id: `${id}Preflight`,
    summary: 'Answer the preflight of a browser',
    description: 'For the origins of the project and for localhost (CORS).',
    answers: { 204: { description: 'With CORS headers for an origin that may ask, without for any other.' } },
    oauthErrors: everywhere,
  };
}

function document(path: string, id: string, summary: string, schema: string): readonly Endpoint[] {
  return [
    {
      ...shared,
      method: 'get',
      path,
      id,
      summary,
      answers: { 200: { description: 'The document, cacheable.', schema: ref(schema) } },
      oauthErrors: everywhere,
    },
    preflight(path, id),
  ];
}

function userinfo(method: 'get' | 'post', id: string): Endpoint {
  return {
    ...shared,
    method,
    path: `${root}/userinfo`,
    id,
    credential: 'upstreamToken',
    summary: 'Read the claims of the user',
    answers: {
      200: {
        description: 'As the provider answered.',
        schema: { type: 'object' },
        example: { sub: '248289761001', email: 'ann@example.dev', email_verified: true },
      },
    },
    oauthErrors: { ...everywhere, 401: ['invalid_token'], 403: ['invalid_request'] },
  };
}

function posted(
  path: string,
  id: string,
  summary: string,
  more: Pick<Endpoint, 'answers' | 'body'>,
): readonly Endpoint[] {
  const credential: Credential = 'client';
  return [
    {
      ...shared,
      method: 'post',
      path,
      id,
      credential,
      summary,
      ...more,
      oauthErrors: {
        ...everywhere,
        400: [
          'invalid_grant',
          'invalid_request',
          'invalid_client',
          'unsupported_grant_type',
          'invalid_scope',
        ],
        401: ['invalid_client'],
        404: ['invalid_request', 'unsupported_token_type'],
        413: ['invalid_request'],
      },
    },
    preflight(path, id),
  ];
}

const tokenForm: Schema = {
  type: 'object',
  required: ['grant_type'],
  properties: {
    grant_type: { type: 'string', enum: ['authorization_code', 'refresh_token'] },
    client_id: text,
    client_secret: { ...text, description: 'Of confidential clients; or sent by HTTP Basic.' },
    code: text,
    redirect_uri: { ...text, description: 'Must be the one of `authorize` when it is sent.' },
    code_verifier: { ...text, description: 'PKCE.' },
    refresh_token: text,
    scope: text,
  },
};

const revokeForm: Schema = {
  type: 'object',
  required: ['token'],
  properties: { token: text, token_type_hint: text, client_id: text, client_secret: text },
};

/** What the person in front of a browser may be shown instead of an OAuth error. */
const toApp = { Location: 'Where the browser goes.' };

/** The OAuth proxy: one issuer for each extension. */
export function oauthProxyEndpoints(): readonly Endpoint[] {
  return [
    {
      ...shared,
      method: 'get',
      path: `${root}/authorize`,
      id: 'proxyAuthorize',
      errorPages: true,
      summary: 'Start a login at the provider',
      description: 'A refusal is an answer and never a redirect; a browser gets it as a page.',
      parameters: [
        query('redirect_uri', 'Where the app waits: localhost, or the origin of the project; else its URL.'),
        query('state', 'Comes back with the code.'),
        query('code_challenge', 'PKCE.'),
        query('code_challenge_method', '`S256`', { const: 'S256' }),
        query('response_type', '`code`', { const: 'code' }),
        query('client_id', 'Of the extension.'),
        query('scope', 'Instead of the scopes of the extension.'),
        query('nonce', 'Comes back in the ID token.'),
        query('prompt', 'Passed on.'),
        query('login_hint', 'Passed on.'),
        query('max_age', 'Passed on.'),
        query('acr_values', 'Passed on.'),
        query('ui_locales', 'Passed on.'),
      ],
      answers: { 302: { description: 'To the provider.', headers: toApp } },
      oauthErrors: {
        ...everywhere,
        400: [
          'invalid_request',
          'unsupported_response_type',
          'request_not_supported',
          'request_uri_not_supported',
        ],
        405: ['invalid_request'],
      },
    },
    {
      ...shared,
      method: 'get',
      path: `${root}/callback`,
      id: 'proxyCallback',
      errorPages: true,
      summary: 'Come back from the provider',
      description: 'The one redirect URI to register at the provider.',
      parameters: [
        query('code', 'Of the provider.'),
        query('state', 'Of the proxy.'),
        query('error', 'Instead of a code.'),
        query('error_description', 'More of it.'),
      ],
      answers: { 302: { description: 'To the app, with a code of the proxy or an error.', headers: toApp } },
      oauthErrors: { ...everywhere, 405: ['invalid_request'] },
    },
    ...posted(`${root}/token`, 'proxyToken', 'Redeem a code or refresh tokens', {
      body: form(tokenForm, 'proxyToken'),
      answers: { 200: { description: 'The tokens of the provider.', schema: ref('Tokens') } },
    }),
    userinfo('get', 'proxyUserinfo'),
    userinfo('post', 'proxyUserinfoPost'),
    preflight(`${root}/userinfo`, 'proxyUserinfo'),
    ...posted(`${root}/revoke`, 'proxyRevoke', 'Revoke a token', {
      body: form(revokeForm, 'proxyRevoke'),
      answers: { 200: { description: 'Revoked, or never valid.' } },
    }),
    ...document(
      `${root}/.well-known/openid-configuration`,
      'proxyDiscovery',
      'Read the provider metadata of the extension',
      'ProviderMetadata',
    ),
    ...document(
      '/.well-known/oauth-authorization-server/oidc/{project}/{extension}',
      'proxyServerMetadata',
      'Read the same where OAuth clients look for it',
      'ProviderMetadata',
    ),
    ...document(`${root}/jwks`, 'proxyKeys', 'Read the keys of the ID tokens of the extension', 'Jwks'),
  ];
}
