import { type Body, type Endpoint, jsonBody, type Parameter, ref, type Schema } from '../endpoint.ts';
import { examplesOf } from '../examples.ts';

const tag = 'Tokens and identity';
const text: Schema = { type: 'string' };
const publicAnswer = { 'Cache-Control': '`public, max-age=300`' };

const project: Parameter = {
  name: 'project',
  in: 'query',
  required: true,
  description: 'The name of the project.',
  schema: text,
  example: 'shop',
};

function oauthBody(schema: string, id: string): Body {
  return {
    mediaTypes: ['application/json', 'application/x-www-form-urlencoded'],
    schema: ref(schema),
    examples: examplesOf(id),
  };
}

const oauthErrors = {
  413: ['invalid_request'],
  503: ['temporarily_unavailable'],
};

/** Discovery, keys, the exchange of tokens, and what identities get. */
export function tokenEndpoints(): readonly Endpoint[] {
  return [
    {
      method: 'get',
      path: '/.well-known/openid-configuration',
      id: 'getProviderMetadata',
      tag,
      credential: 'none',
      summary: 'Read what the platform is to an OpenID Connect client',
      answers: {
        200: { description: 'Provider metadata.', schema: ref('ProviderMetadata'), headers: publicAnswer },
      },
    },
    {
      method: 'get',
      path: '/api/v1/auth/jwks',
      id: 'getKeys',
      tag,
      credential: 'none',
      summary: 'Read the public keys of ingress, workload and ID tokens',
      answers: { 200: { description: 'A key set.', schema: ref('Jwks'), headers: publicAnswer } },
    },
    {
      method: 'post',
      path: '/api/v1/auth/token',
      id: 'exchangeToken',
      tag,
      credential: 'none',
      summary: 'Exchange an external token for an access token',
      description:
        'RFC 8693. Whatever is wrong with the subject token or the identity, the refusal is the same.',
      body: oauthBody('TokenExchange', 'exchangeToken'),
      answers: { 200: { description: 'An access token.', schema: ref('ExchangedToken') } },
      oauthErrors: { 400: ['invalid_grant', 'invalid_request', 'unsupported_grant_type'], ...oauthErrors },
    },
    {
      method: 'post',
      path: '/api/v1/auth/code/exchange',
      id: 'exchangeCode',
      tag,
      credential: 'none',
      summary: 'Exchange the code of a native login for a session token',
      body: oauthBody('CodeExchange', 'exchangeCode'),
      answers: { 200: { description: 'A session and an ID token.', schema: ref('Session') } },
      oauthErrors: {
        400: ['invalid_grant', 'invalid_request', 'unsupported_grant_type'],
        401: ['invalid_client'],
        ...oauthErrors,
      },
    },
    {
      method: 'get',
      path: '/api/v1/auth/ingress',
      id: 'mintIngressToken',
      tag,
      credential: 'visitor',
      summary: 'Get the token that opens the URL of a project',
      description: 'Made for forward-auth proxies such as the `auth_request` of nginx.',
      parameters: [project],
      answers: {
        200: {
          description: 'An ingress token, in the body and in a header.',
          schema: ref('IngressToken'),
          headers: {
            'X-Auth-Request-User': 'The uid of the user.',
            'X-Auth-Request-Email': 'Their e-mail address.',
            'X-Auth-Request-Access-Token': 'The token.',
            'Set-Cookie': 'A newer ingress cookie, in the second half of the life of the one that was sent.',
          },
        },
      },
      problems: ['invalid_query'],
    },
    {
      method: 'get',
      path: '/api/v1/auth/ingress/start',
      id: 'startIngressLogin',
      tag,
      credential: 'none',
      summary: 'Log a visitor in and hand over to the host of a project',
      description: 'For browsers. Refusals are pages when `Accept` names `text/html`.',
      parameters: [
        project,
        { ...project, name: 'path', required: false, description: 'Where to arrive.', example: '/orders' },
        {
          ...project,
          name: 'origin',
          required: false,
          description: 'A custom domain of the project, instead of its URL.',
          example: 'https://www.example.com',
        },
        {
          ...project,
          name: 'binding',
          required: false,
          description: 'Set by the host of the project: hash of the value in the cookie of this browser.',
          example: '9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08',
        },
      ],
      answers: {
        303: {
          description: 'To the login, or to `/.platform/callback` of the project.',
          headers: { Location: 'Where the browser goes.' },
        },
      },
      problems: ['invalid_query', 'forbidden', 'rate_limited'],
    },
    {
      method: 'post',
      path: '/api/v1/identity/token',
      id: 'mintWorkloadToken',
      tag,
      credential: 'bootstrap',
      summary: 'Get a workload token for an audience',
      body: jsonBody(ref('WorkloadTokenRequest'), examplesOf('mintWorkloadToken')),
      answers: { 200: { description: 'A workload token.', schema: ref('WorkloadToken') } },
      problems: ['unauthenticated', 'rate_limited'],
    },
    {
      method: 'post',
      path: '/api/v1/encrypt',
      id: 'encrypt',
      tag,
      credential: 'caller',
      summary: 'Encrypt a secret for an extension',
      description:
        'For people with a session. With `project`, the ciphertext can be used in that project only, and only its owner, members and admins may ask for it. Without, only by the same person, within 24 hours.',
      body: jsonBody(ref('Plaintext'), examplesOf('encrypt')),
      answers: { 200: { description: 'The ciphertext.', schema: ref('Ciphertext') } },
      problems: ['rate_limited'],
    },
  ];
}
