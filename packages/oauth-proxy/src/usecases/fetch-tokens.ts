import { OAuthError } from '@platform/kernel';
import type { ProxyExtension } from '../model/extension.ts';
import type { Claims, FlowMode, TokenResponse } from '../model/flow.ts';
import { messages } from '../model/messages.ts';
import type { UpstreamMetadata } from '../model/upstream-metadata.ts';
import { UpstreamFault } from '../ports/upstream.ts';
import type { ProxyPorts } from './ports.ts';
import { optionalMetadata, resolveEndpoints } from './resolve-endpoints.ts';
import { describeFault, upstreamClient } from './upstream-client.ts';
import { verifyUpstreamIdToken } from './verify-upstream-id-token.ts';

/** The upstream's authorization code and what is needed to redeem it. */
export interface UpstreamGrant {
  readonly code: string;
  /** The `iss` of upstream's redirect (RFC 9207). */
  readonly issuer: string | null;
  readonly redirectUri: string;
  readonly verifier: string;
  readonly nonce: string;
  readonly mode: FlowMode;
}

/** Redeems upstream's code, and in `oidc` mode verifies its ID token. Throws {@link LoginFailed} if that fails. */
export async function fetchTokens(
  ports: ProxyPorts,
  extension: ProxyExtension,
  grant: UpstreamGrant,
): Promise<{ readonly answer: TokenResponse; readonly claims: Claims | null }> {
  try {
    const endpoints = await resolveEndpoints(ports, extension.spec);
    // The ID token is verified with the discovery document also when the spec names the endpoints.
    const document = grant.mode === 'oidc' ? await optionalMetadata(ports, extension.spec) : null;
    checkIssuer(endpoints.metadata ?? document, grant.issuer);
    const client = upstreamClient(ports, extension, endpoints);
    const result = await ports.upstream.exchangeCode(client, grant);
    if (result.outcome === 'rejected') {
      const reason = `${messages.exchange(result.status)} (${result.error ?? 'no error code'})`;
      throw new LoginFailed('server_error', messages.exchange(result.status), reason);
    }
    const { answer } = result;
    if (grant.mode === 'passthrough') return { answer, claims: null };
    const claims = await verifyUpstreamIdToken(ports, extension, answer, grant.nonce);
    if (claims === null && document !== null) throw noIdToken();
    return { answer, claims };
  } catch (error) {
    throw asLoginFailure(error);
  }
}

/** An OpenID Connect client cannot identify the user without an ID token, so the login fails here with the reason. */
function noIdToken(): LoginFailed {
  return new LoginFailed('server_error', 'The provider sent no ID token', 'no id_token in the answer');
}

/**
 * Attack: another provider of the user sends its code to our callback (mix-up, RFC 9207 section 2.4). A provider whose metadata
 * announces `iss` must send it, and an `iss` must be the issuer of the metadata. Without metadata there is no issuer to compare: the `issuer_url`
 * of a provider without discovery is only its name.
 */
function checkIssuer(metadata: UpstreamMetadata | null, issuer: string | null): void {
  if (metadata === null) return;
  const mayBeMissing = metadata.authorization_response_iss_parameter_supported !== true;
  if (issuer === null ? !mayBeMissing : issuer !== metadata.issuer) {
    throw new LoginFailed(
      'server_error',
      'The answer of the provider does not carry its issuer',
      'iss mismatch',
    );
  }
}

function asLoginFailure(error: unknown): unknown {
  if (error instanceof OAuthError) return new LoginFailed('server_error', error.message);
  if (!(error instanceof UpstreamFault)) return error;
  const logged = `${error.kind}: ${error.message}`;
  if (error.kind === 'invalid_id_token') {
    return new LoginFailed('server_error', 'The ID token of the provider could not be verified', logged);
  }
  return new LoginFailed('temporarily_unavailable', `Token exchange failed: ${describeFault(error)}`, logged);
}

/** A login that ends with an error redirect to the app. Error and description are sent to the app; `logged` is for the log. */
export class LoginFailed extends Error {
  override readonly name = 'LoginFailed';
  readonly error: string;
  readonly description: string | null;
  readonly logged: string;

  constructor(error: string, description: string | null, logged?: string) {
    super(description ?? error);
    this.error = error;
    this.description = description;
    this.logged = logged ?? description ?? error;
  }
}
