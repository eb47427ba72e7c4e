import { z } from 'zod';
import {
  base64Bytes,
  baseUrl,
  certificates,
  cidr,
  listen,
  origin,
  privateKey,
  projectUrlTemplate,
  rsaPrivateKey,
  rsaPublicKey,
  text,
  whole,
} from './fields.ts';

/** The API process: where it listens, and the tokens that it issues. */
export const server = z.strictObject({
  listen: listen
    .default({ host: '127.0.0.1', port: 8080 })
    .meta({ shown: '127.0.0.1:8080', description: 'Address and port of the API. IPv6 as `[::1]:8080`.' }),
  metrics_listen: listen.optional().meta({
    shown: 'on `server.listen`',
    description:
      'A separate address for `/metrics`, so that clients of the API cannot request it. IPv6 as `[::1]:9090`.',
  }),
  tls_listen: listen.optional().meta({
    shown:
      '`127.0.0.1:8443` with the development settings, unless another listener has that port; otherwise nowhere',
    description:
      'An address where the API also listens with TLS, because kubectl sends credentials over TLS only. IPv6 as `[::1]:8443`.',
  }),
  tls_certificate_pem: certificates.optional().meta({
    shown: 'generated with the development settings; required with `server.tls_listen`',
    description:
      'The certificate of `server.tls_listen` with those that signed it, in PEM. Read at the start only: restart when it is renewed.',
  }),
  tls_private_key_pem: privateKey.optional().meta({
    secret: true,
    shown: 'generated with the development settings; required with `server.tls_listen`',
    description: 'The key of `server.tls_certificate_pem`, in PEM.',
  }),
  tls_authority_pem: certificates.optional().meta({
    shown: 'generated with the development settings',
    description:
      'The authority that signed `server.tls_certificate_pem`, for `platform kubeconfig`; not needed where clients trust it anyway.',
  }),
  workers: whole(1, 256)
    .default(1)
    .describe('API processes that share the listening port. One process uses about one core.'),
  public_url: baseUrl.optional().meta({
    shown: 'http://localhost:<port of server.listen>',
    description:
      'The address that clients use: issuer and audience of session and access tokens, and the base of every link. No trailing slash.',
  }),
  jwt_signing_secret: base64Bytes(32).optional().meta({
    secret: true,
    shown: 'generated once and kept in `database.data_dir`',
    description:
      'Signs session and access tokens (HS256): base64 of at least 32 bytes. A new secret ends all sessions; use `server.jwt_signing_secrets` to rotate without that.',
  }),
  jwt_signing_secrets: z
    .array(base64Bytes(32))
    .max(8, { error: 'must have at most 8 entries, because a token is tried with each' })
    .default([])
    .meta({
      secret: true,
      description:
        'Instead of `server.jwt_signing_secret`, for rotation: the first signs, all verify. At most 8.',
    }),
  jwt_expiry_seconds: whole(1).default(86_400).describe('Lifetime of a session token.'),
  jwt_claims: z
    .array(text)
    .default(['email', 'name', 'groups'])
    .describe('Claims of the ID token that are copied into the session token. `sub` and `email` always are.'),
  auth_token_max_ttl_seconds: whole(1).default(600).describe('Lifetime of an access token.'),
  ingress_token_ttl_seconds: whole(1).default(3600).describe('Lifetime of an ingress token.'),
  rs256_private_key_pem: rsaPrivateKey.optional().meta({
    secret: true,
    shown: 'a key pair generated at each start, with a warning; required in production',
    description:
      "Signs ingress tokens, workload tokens and the platform's own ID tokens (RS256): PEM of an RSA key of at least 2048 bits. A new one invalidates those tokens.",
  }),
  rs256_public_key_pem: rsaPublicKey
    .optional()
    .describe('Public half of `server.rs256_private_key_pem`; derived from it when absent, must match it.'),
  rs256_retired_public_keys_pem: z
    .array(rsaPublicKey)
    .default([])
    .describe('Public keys that are still published in the JWKS but no longer sign, for rotation.'),
  cookie_secure: z.boolean({ error: 'must be true or false' }).optional().meta({
    shown: '`true` when `server.public_url` is https, otherwise `false`',
    description: 'Whether the session cookie is marked Secure. Must be true when the public URL is https.',
  }),
  body_limit_bytes: whole(1).default(1_048_576).describe('Largest request body.'),
  max_connections: whole(1)
    .default(25_000)
    .describe(
      'Maximum open connections of one API process to one listener; one more is closed at once. Each watch needs one: keep it above `limits.watches`.',
    ),
  headers_timeout_seconds: whole(1, 600)
    .default(10)
    .describe('Time that a client has for the headers of a request; then it is answered 408.'),
  request_timeout_seconds: whole(1, 3600)
    .default(30)
    .describe(
      'Time that a client has for a whole request, headers and body; then it is answered 408. At least `server.headers_timeout_seconds`.',
    ),
  trusted_proxies: z
    .array(cidr)
    .default([])
    .describe('Addresses (CIDRs) of the load balancers whose `X-Forwarded-*` headers are trusted.'),
  cors_origins: z
    .array(origin)
    .default([])
    .describe(
      'Origins whose pages may call the API with a bearer token, such as `https://portal.example.com`.',
    ),
  project_url_template: projectUrlTemplate
    .default('http://{project}.localhost:3000')
    .describe('Address of a project that has none of its own. Keep `{project}` in the host name.'),
});
