import { encryptBody, workloadTokenBody } from '@platform/projects';
import type { Schema } from '../../endpoint/documentation.ts';
import { fromZod } from '../../endpoint/from-zod.ts';
import {
  list,
  object,
  orNull,
  seconds,
  text,
  timestamp,
  url,
  uuid,
  withExample,
} from '../../endpoint/schema-fields.ts';

const bearer: Schema = { const: 'Bearer' };
const flag: Schema = { type: 'boolean' };
const jwtType: Schema = { const: 'urn:ietf:params:oauth:token-type:jwt' };
const issuer = 'https://platform.example/oidc/shop/sign-in';
const idToken = withExample(text, '<ID token>');
const email = withExample(text, 'ann@example.dev');
const project = withExample(text, 'shop');

/** The bindings that name a caller. */
const bindings = list(
  object({
    name: withExample(text, 'farmers-read'),
    role: withExample(text, 'farm-reader'),
    scope: {
      ...withExample(orNull(text), null),
      description: 'The uid of the resource that it covers; null for everything.',
    },
  }),
);
const groups = {
  ...list(withExample(text, 'farmers')),
  description: 'Groups that the identity provider vouches for.',
};
const person = object(
  {
    type: { const: 'user' },
    uid: withExample(text, '01a1fc66-ebc7-7abd-b820-e103976092a4'),
    email,
    operator: withExample(flag, true),
    admin: withExample(flag, false),
    groups,
    bindings,
  },
  { optional: ['groups', 'bindings'] },
);
const account = object(
  {
    type: { const: 'service_account' },
    uid: text,
    email: text,
    project: text,
    operator: { const: false },
    admin: { const: false },
    bindings,
  },
  { optional: ['bindings'] },
);
const controller = object(
  {
    type: { const: 'controller' },
    id: text,
    operator: { const: false },
    admin: { const: false },
    bindings,
  },
  { optional: ['bindings'] },
);

/** Tokens, login, identity: requests and answers. */
export const tokenSchemas: Readonly<Record<string, Schema>> = {
  TokenExchange: object(
    {
      grant_type: { const: 'urn:ietf:params:oauth:grant-type:token-exchange' },
      subject_token: { ...text, description: 'A JWT of the external issuer, at most 8192 bytes.' },
      subject_token_type: jwtType,
      requested_token_type: jwtType,
      identity: {
        ...text,
        maxLength: 320,
        description: 'The e-mail address of the service account; left out by a controller.',
      },
    },
    { optional: ['requested_token_type', 'identity'] },
  ),
  ExchangedToken: object({
    access_token: withExample(text, '<access token>'),
    issued_token_type: jwtType,
    token_type: bearer,
    expires_in: withExample(seconds, 600),
  }),
  CodeExchange: {
    oneOf: [
      object({
        grant_type: { const: 'authorization_code' },
        code: text,
        code_verifier: text,
        redirect_uri: url,
        client_id: { const: 'platform-cli' },
      }),
      object({
        grant_type: { const: 'urn:ietf:params:oauth:grant-type:device_code' },
        device_code: text,
        client_id: { const: 'platform-cli' },
      }),
    ],
  },
  DeviceAuthorizationRequest: object(
    {
      client_id: { const: 'platform-cli' },
      scope: { ...text, description: 'Of `openid`, `email` and `profile`; shown to the person.' },
    },
    { optional: ['scope'], description: 'RFC 8628, section 3.1.' },
  ),
  DeviceAuthorization: object(
    {
      device_code: withExample(text, '<device code>'),
      user_code: withExample(text, 'WDJB-MJHT'),
      verification_uri: withExample(url, 'https://platform.example.com/device'),
      verification_uri_complete: withExample(url, 'https://platform.example.com/device?user_code=WDJB-MJHT'),
      expires_in: withExample(seconds, 600),
      interval: withExample(seconds, 5),
    },
    { description: 'RFC 8628, section 3.2.' },
  ),
  Session: object({
    access_token: withExample(text, '<session token>'),
    token_type: bearer,
    expires_in: withExample(seconds, 86_400),
    id_token: idToken,
  }),
  WorkloadTokenRequest: fromZod(workloadTokenBody),
  WorkloadToken: object({
    token: withExample(text, '<workload token>'),
    token_type: bearer,
    expires_in: withExample(seconds, 600),
    audience: withExample(text, 'https://queue.example.dev'),
  }),
  IngressToken: object({
    token: withExample(text, '<ingress token>'),
    token_type: bearer,
    expires_in: withExample(seconds, 3600),
    audience: withExample(url, 'https://shop.example.dev'),
    project,
  }),
  Plaintext: fromZod(encryptBody),
  Ciphertext: object({ encrypted: withExample(text, '<ciphertext>') }),
  Caller: { oneOf: [person, account, controller] },
  Jwks: object(
    {
      keys: list({
        type: 'object',
        required: ['kty'],
        properties: {
          kty: withExample(text, 'RSA'),
          kid: withExample(text, '<thumbprint>'),
          use: withExample(text, 'sig'),
          alg: withExample(text, 'RS256'),
          n: withExample(text, '<modulus>'),
          e: withExample(text, 'AQAB'),
        },
        additionalProperties: true,
      }),
    },
    { additionalProperties: true, description: 'RFC 7517.' },
  ),
  ProviderMetadata: {
    type: 'object',
    required: ['issuer', 'authorization_endpoint', 'token_endpoint', 'jwks_uri'],
    properties: {
      issuer: withExample(url, issuer),
      authorization_endpoint: withExample(url, `${issuer}/authorize`),
      token_endpoint: withExample(url, `${issuer}/token`),
      device_authorization_endpoint: url,
      revocation_endpoint: url,
      introspection_endpoint: url,
      jwks_uri: withExample(url, `${issuer}/jwks`),
      response_types_supported: list(withExample(text, 'code')),
      scopes_supported: withExample(list(text), ['openid', 'email', 'profile']),
    },
    additionalProperties: true,
    description: 'OpenID Connect Discovery 1.0, section 3; RFC 8414, section 2.',
  },
  Tokens: {
    type: 'object',
    required: ['access_token', 'token_type'],
    properties: {
      access_token: withExample(text, '<access token of the provider>'),
      token_type: withExample(text, 'Bearer'),
      expires_in: withExample({ type: 'number' }, 3600),
      refresh_token: text,
      scope: withExample(text, 'openid email profile'),
      id_token: idToken,
      upstream_id_token: text,
    },
    additionalProperties: true,
    description:
      'The tokens of the upstream provider (RFC 6749, section 5.1); members we do not know are kept.',
  },
  SessionList: object(
    {
      items: list(
        object({
          id: uuid,
          user: { ...email, description: 'The e-mail address.' },
          createdAt: timestamp,
          expiresAt: withExample(timestamp, '2026-01-02T12:00:00.000Z'),
          userAgent: {
            ...withExample(text, 'platform-cli/0.25.0'),
            description: 'As the program named itself; unprintable characters are `?`.',
          },
        }),
      ),
      continue: withExample(text, 'bXktYXBw'),
    },
    { optional: ['continue'] },
  ),
  Revocation: object(
    {
      token: { ...text, description: 'A session token, or an ingress token, which stands for its session.' },
      token_type_hint: text,
      session_id: uuid,
      client_id: { ...text, description: 'Of a public client that sends no credential: `platform-cli`.' },
    },
    {
      optional: ['token', 'token_type_hint', 'session_id', 'client_id'],
      description: 'RFC 7009, section 2.1.',
    },
  ),
  IntrospectionRequest: object(
    { token: text, token_type_hint: text },
    { optional: ['token_type_hint'], description: 'RFC 7662, section 2.1.' },
  ),
  Introspection: object(
    {
      active: withExample(flag, true),
      token_type: bearer,
      token_use: withExample({ enum: ['session', 'ingress'] }, 'ingress'),
      iss: withExample(url, 'https://platform.example'),
      aud: withExample(text, 'https://shop.example.dev'),
      sub: withExample(text, '01a1fc66-f0a1-7c3e-9b57-5a0d2f6c8e11'),
      username: email,
      email,
      iat: withExample({ type: 'number' }, 1_767_268_800),
      exp: withExample({ type: 'number' }, 1_767_272_400),
      sid: withExample(text, '01a1fc66-ebc7-7abd-b820-e103976092a4'),
      jti: text,
      project,
    },
    {
      optional: [
        ...['token_type', 'token_use', 'iss', 'aud', 'sub', 'username', 'email'],
        ...['iat', 'exp', 'sid', 'jti', 'project'],
      ],
      description: 'RFC 7662, section 2.2. A token that is not active has `active` alone.',
    },
  ),
  BackChannelLogout: object({ logout_token: text }),
  Health: object({ status: withExample(text, 'ok') }),
};
