import { z } from 'zod';
import { email, text, webAddress, whole } from './fields.ts';

/** An id that prefixes finalizers and names status slots; those of people, service accounts and the platform are taken. */
const controllerId = z
  .string()
  .regex(/^[\x21-\x7e]{1,253}$/, { error: 'must be 1 to 253 printable characters without spaces' })
  .refine((id) => !/^(?:operator:|user:|serviceaccount:|system\.platform\.dev(?:\/|$))/.test(id), {
    error: 'must not begin with operator:, user:, serviceaccount: or system.platform.dev',
  })
  .refine((id) => !id.endsWith('/'), { error: 'must not end in a slash' });

const claimPattern = z.union(
  [text.max(1024, { error: 'must have at most 1024 characters' }), z.number(), z.boolean()],
  { error: 'must be a string, a number or a boolean' },
);

// Without a pinned audience, a token that the issuer made for any other service would do here.
const claims = z
  .record(z.string(), claimPattern)
  .refine((required) => Object.keys(required).every((name) => name !== '' && name.length <= 256), {
    error: 'must have names of 1 to 256 characters',
  })
  .refine((required) => Object.keys(required).length <= 32, { error: 'must have at most 32 claims' })
  .refine((required) => Object.hasOwn(required, 'aud'), {
    error: 'is required: a controller must pin the audience of its tokens',
    path: ['aud'],
  })
  .refine(({ aud }) => !matchesAnything(aud), {
    error: 'must not be just "*": a controller must pin the audience of its tokens',
    path: ['aud'],
  })
  .refine(({ aud: _aud, ...others }) => {
    const patterns = Object.values(others);
    return patterns.length === 0 || !patterns.every(matchesAnything);
  }, 'must have a claim besides aud that is not just "*", or none');

function matchesAnything(pattern: unknown): boolean {
  return typeof pattern === 'string' && /^\*+$/.test(pattern);
}

const controller = z.strictObject({
  id: controllerId.describe('Stable name; its finalizers begin with `<id>/` and its status slot is `<id>`.'),
  issuer: webAddress.describe(
    'Exact `iss` of its tokens; `{issuer}/.well-known/openid-configuration` is read.',
  ),
  claims: claims.describe(
    'Claims that a token must have. `aud` is required; in strings, `*` matches any sequence of characters.',
  ),
  read: z
    .boolean({ error: 'must be true or false' })
    .default(false)
    .describe(
      'Whether it may get, list and watch the resources of the kinds whose `allowedStatusControllerIds` name it.',
    ),
});

const roleMember = z.union(
  [email, z.strictObject({ issuer: webAddress, sub: text }), z.strictObject({ group: text })],
  { error: 'must be an email address, { issuer, sub } or { group }' },
);

/** Who may sign in, and as what. */
export const auth = z.strictObject({
  issuer: webAddress
    .optional()
    .describe(
      'OpenID Connect issuer for user login. Set it together with the next two keys, or leave all three out.',
    ),
  client_id: text.optional().describe('Client id of the platform at `auth.issuer`.'),
  client_secret: text
    .optional()
    .meta({ secret: true, description: 'Client secret of the platform at `auth.issuer`.' }),
  scopes: z
    .array(text)
    .default(['openid', 'email', 'profile'])
    .refine((scopes) => scopes.includes('openid'), { error: 'must include openid' })
    .describe('Scopes that a login requests.'),
  operator_users: z
    .array(roleMember)
    .default([])
    .describe(
      'Who may use the generic resource API: e-mail addresses (compared without case), `{ issuer, sub }` of an ID token, or `{ group }`, a value of its `groups` claim.',
    ),
  admin_users: z
    .array(roleMember)
    .default([])
    .describe('The admins of the default Organization (typed resources only), in the same notation.'),
  trust_unverified_email: z
    .boolean({ error: 'must be true or false' })
    .default(false)
    .describe(
      'Whether addresses and groups give roles although the ID token lacks `email_verified: true`. Only for a provider where users cannot choose their own address.',
    ),
  allow_raw_external_tokens: z.boolean({ error: 'must be true or false' }).optional().meta({
    shown: '`true` below version 0.25.0, `false` from 0.25.0 on',
    description: 'Whether a service account may present its own OIDC token without exchanging it first.',
  }),
  external_token_max_age_seconds: whole(60).optional().meta({
    shown: 'no limit',
    description:
      'The oldest token of an external issuer that a controller or a service account may present, by its `iat`; then a token needs one.',
  }),
  controllers: z
    .array(controller)
    .default([])
    .describe('Controllers: who may write status and finalizers of the kinds that allow them.'),
});

/** The controller that runs deployments. */
export const deploymentController = z.strictObject({
  controller_class_name: text
    .optional()
    .describe(
      'The `spec.deploymentControllerClass` that the default Organization is created with. A later value does not change it: edit the Organization.',
    ),
  identity_token_ttl_seconds: whole(1).default(3600).describe('Lifetime of a workload identity token.'),
});
