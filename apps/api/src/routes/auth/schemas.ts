import { auditActions, auditOutcomes } from '@platform/access';
import { encryptBody, workloadTokenBody } from '@platform/projects';
import type { Schema } from '../../endpoint/documentation.ts';
import { fromZod } from '../../endpoint/from-zod.ts';
import { list, object, orNull, seconds, text, timestamp, url, uuid } from '../../endpoint/schema-fields.ts';

const bearer: Schema = { const: 'Bearer' };
const flag: Schema = { type: 'boolean' };
const jwtType: Schema = { const: 'urn:ietf:params:oauth:token-type:jwt' };

/** The bindings that name a caller. */
const bindings = list(
  object({
    name: text,
    role: text,
    scope: orNull({ ...text, description: 'The uid of the resource that it covers; null for everything.' }),
  }),
);
const groups = { ...list(text), description: 'Groups that the identity provider vouches for.' };
const person = object(
  { type: { const: 'user' }, uid: text, email: text, operator: flag, admin: flag, groups, bindings },
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
    access_token: text,
    issued_token_type: jwtType,
    token_type: bearer,
    expires_in: seconds,
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
      device_code: text,
      user_code: text,
      verification_uri: url,
      verification_uri_complete: url,
      expires_in: seconds,
      interval: seconds,
    },
    { description: 'RFC 8628, section 3.2.' },
  ),
  Session: object({ access_token: text, token_type: bearer, expires_in: seconds, id_token: text }),
  WorkloadTokenRequest: fromZod(workloadTokenBody),
  WorkloadToken: object({ token: text, token_type: bearer, expires_in: seconds, audience: text }),
  IngressToken: object({
    token: text,
    token_type: bearer,
    expires_in: seconds,
    audience: url,
    project: text,
  }),
  Plaintext: fromZod(encryptBody),
  Ciphertext: object({ encrypted: text }),
  Caller: { oneOf: [person, account, controller] },
  Jwks: object(
    {
      keys: list({
        type: 'object',
        required: ['kty'],
        properties: { kty: text, kid: text, use: text, alg: text, n: text, e: text },
        additionalProperties: true,
      }),
    },
    { additionalProperties: true, description: 'RFC 7517.' },
  ),
  ProviderMetadata: {
    type: 'object',
    required: ['issuer', 'authorization_endpoint', 'token_endpoint', 'jwks_uri'],
    properties: {
      issuer: url,
      authorization_endpoint: url,
      token_endpoint: url,
      device_authorization_endpoint: url,
      revocation_endpoint: url,
      introspection_endpoint: url,
      jwks_uri: url,
      response_types_supported: list(text),
      scopes_supported: list(text),
    },
    additionalProperties: true,
    description: 'OpenID Connect Discovery 1.0, section 3; RFC 8414, section 2.',
  },
  Tokens: {
    type: 'object',
    required: ['access_token', 'token_type'],
    properties: {
      access_token: text,
      token_type: text,
      expires_in: { type: 'number' },
      refresh_token: text,
      scope: text,
      id_token: text,
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
          user: { ...text, description: 'The e-mail address.' },
          createdAt: timestamp,
          expiresAt: timestamp,
          userAgent: { ...text, description: 'As the program named itself; unprintable characters are `?`.' },
        }),
      ),
      continue: text,
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
      active: flag,
      token_type: bearer,
      token_use: { enum: ['session', 'ingress'] },
      iss: url,
      aud: text,
      sub: text,
      username: text,
      email: text,
      iat: { type: 'number' },
      exp: { type: 'number' },
      sid: text,
      jti: text,
      project: text,
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
  AuditRecord: object(
    {
      id: uuid,
      time: timestamp,
      action: { enum: Object.keys(auditActions) },
      outcome: { enum: auditOutcomes },
      actor: object({
        type: { enum: ['operator', 'controller', 'system', 'user', 'service_account', 'anonymous'] },
        id: text,
      }),
      requestId: orNull(text),
      sourceAddress: orNull(text),
      userAgent: orNull(text),
      resource: object(
        { apiVersion: text, kind: text, name: text, uid: uuid, parentUid: orNull(uuid) },
        { optional: ['apiVersion', 'parentUid'] },
      ),
      project: text,
      reason: text,
      details: { type: 'object', additionalProperties: true },
    },
    { optional: ['resource', 'project', 'reason'], description: 'docs/audit.md lists the actions.' },
  ),
  AuditRecordList: object(
    { items: list({ $ref: '#/components/schemas/AuditRecord' }), continue: text },
    { optional: ['continue'] },
  ),
  Health: object({ status: text }),
};
