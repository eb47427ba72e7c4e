import { type Fault, schemaFaults } from '@platform/kernel';
import { z } from 'zod';
import { parseRedirectUri } from './redirect-uri-text.ts';

/** The spec of an OAuth extension without the upstream secret, which responses never contain. */
export interface OAuthExtensionSpec {
  readonly provider_name: string;
  readonly description?: string;
  readonly client_id: string;
  readonly issuer_url: string;
  readonly authorization_endpoint?: string;
  readonly token_endpoint?: string;
  readonly scopes?: readonly string[];
  /** The allowed redirect URIs, compared as text; absent: any path on the app's origins. */
  readonly redirect_uris?: readonly string[];
  /** Whether redirect URIs on loopback are allowed; true by default. */
  readonly allow_localhost?: boolean;
  /** `confidential`: every token request needs the client secret. Absent: for a code with a challenge its verifier is enough. */
  readonly client_type?: 'confidential';
}

/** A spec in a request, with the ciphertext of `POST /api/v1/encrypt` if the request has one. */
export interface WrittenExtensionSpec extends OAuthExtensionSpec {
  readonly client_secret_encrypted?: string;
}

/** The settings for the validation of a spec. */
export interface SpecPolicy {
  /** Exact origins that may use plain HTTP (`outbound.allow_insecure_origins`). */
  readonly insecureOrigins: readonly string[];
}

/** The result of reading a spec: the spec, or all its faults with JSON pointers relative to the spec. */
export type SpecReading =
  | { readonly spec: WrittenExtensionSpec; readonly faults?: undefined }
  | { readonly spec?: undefined; readonly faults: readonly Fault[] };

const required = (name: string, max: number) =>
  z
    .string({
      error: (issue) => (issue.input === undefined ? `${name} is required` : `${name} must be a string`),
    })
    .min(1, `${name} must not be empty`)
    .max(max, `${name} must have at most ${max} characters`)
    // Attack: a line break in a value that is written to a header or a log starts a line of the attacker's.
    .refine((value) => !/\p{Cc}/u.test(value), `${name} must not contain control characters`);

// RFC 6749 section 3.3: scope-token.
const scope = z
  .string({ error: 'must be a string' })
  .regex(/^[\x21\x23-\x5B\x5D-\x7E]{1,256}$/, 'must be a scope token of RFC 6749');

const redirectUri = z
  .string({ error: 'must be a string' })
  .refine(
    (value) => parseRedirectUri(value) !== null,
    'must be an absolute http or https URL without credentials, fragment or a parameter of the answer',
  );

function upstreamUrl(
  name: string,
  policy: SpecPolicy,
  isAcceptable: (value: string, policy: SpecPolicy) => boolean = isEndpointUrl,
) {
  return z
    .string({ error: (issue) => (issue.input === undefined ? `${name} is required` : `Invalid ${name} URL`) })
    .refine((value) => isAcceptable(value, policy), `Invalid ${name} URL`);
}

/** Whether a URL is acceptable as the issuer of tokens, which has no query (OpenID Connect Discovery, section 3). */
export function isIssuerUrl(value: string, policy: SpecPolicy): boolean {
  return isEndpointUrl(value, policy) && new URL(value).search === '';
}

/** Whether a URL is acceptable as an endpoint of a provider: HTTPS or an exempt origin, no credentials, no fragment. */
export function isEndpointUrl(value: string, policy: SpecPolicy): boolean {
  // Attack: the URL parser drops tabs and line breaks and turns backslashes into slashes, so that another parser finds another host.
  if (value.length > 2048 || /[^\x21-\x7E]|[\\#]/.test(value) || !URL.canParse(value)) return false;
  const url = new URL(value);
  if (url.username !== '' || url.password !== '') return false;
  if (!/^https?:\/\/[^/]/i.test(value)) return false;
  return url.protocol === 'https:' || policy.insecureOrigins.includes(url.origin);
}

/** The schema of the `spec` of an OAuth extension in requests. */
export function extensionSpecSchema(policy: SpecPolicy) {
  return z.strictObject({
    provider_name: required('provider_name', 253),
    description: z
      .string({ error: 'description must be a string' })
      .max(1024, 'description must have at most 1024 characters')
      .exactOptional(),
    client_id: required('client_id', 1024),
    client_secret_encrypted: required('client_secret_encrypted', 8192).exactOptional(),
    issuer_url: upstreamUrl('issuer_url', policy, isIssuerUrl),
    authorization_endpoint: upstreamUrl('authorization_endpoint', policy).exactOptional(),
    token_endpoint: upstreamUrl('token_endpoint', policy).exactOptional(),
    scopes: z
      .array(scope, { error: 'scopes must be an array of strings' })
      .max(64, 'scopes must have at most 64 entries')
      .exactOptional(),
    redirect_uris: z
      .array(redirectUri, { error: 'redirect_uris must be an array of strings' })
      .min(1, 'redirect_uris must have at least one entry')
      .max(64, 'redirect_uris must have at most 64 entries')
      .exactOptional(),
    allow_localhost: z.boolean({ error: 'allow_localhost must be true or false' }).exactOptional(),
    client_type: z.literal('confidential', { error: 'client_type must be confidential' }).exactOptional(),
  });
}

/**
 * Reads the `spec` of an OAuth extension (docs/oauth-proxy.md) and collects all faults.
 * `client_secret_encrypted` may be missing here; {@link mustResendSecret} decides whether it is required.
 */
export function readExtensionSpec(value: unknown, policy: SpecPolicy): SpecReading {
  const read = extensionSpecSchema(policy).safeParse(value);
  if (read.success) return { spec: read.data };
  const issues = read.error.issues.map((issue) =>
    issue.code === 'invalid_type' && issue.path.length === 0
      ? { ...issue, message: 'must be an object' }
      : issue,
  );
  return { faults: schemaFaults(issues) };
}

/**
 * Whether a change of the spec requires the secret to be sent again.
 *
 * Attack: a member who may edit the extension but does not know the secret sets `token_endpoint` to a server of their own, logs
 * in once, and receives the stored secret there.
 */
export function mustResendSecret(stored: OAuthExtensionSpec, written: OAuthExtensionSpec): boolean {
  return upstreamFingerprint(stored) !== upstreamFingerprint(written);
}

/** Whether the spec names both endpoints. Then logins do not wait for discovery, which such a provider may not have. */
export function namesEndpoints({ authorization_endpoint, token_endpoint }: OAuthExtensionSpec): boolean {
  return authorization_endpoint !== undefined && token_endpoint !== undefined;
}

/** Identifies the fields that decide where the upstream secret is sent: equal if and only if none of them changed. */
export function upstreamFingerprint(spec: OAuthExtensionSpec): string {
  return JSON.stringify([
    spec.issuer_url,
    spec.client_id,
    spec.authorization_endpoint ?? null,
    spec.token_endpoint ?? null,
  ]);
}
