import { OAuthError } from '@platform/kernel';
import type { ProxyExtension } from '../model/extension.ts';
import { upstreamFingerprint } from '../model/extension-spec.ts';
import type { RefreshRecord, TokenResponse } from '../model/flow.ts';
import { UpstreamFault } from '../ports/upstream.ts';
import { refreshRefusal } from '../rules/refresh-refusal.ts';
import { textMember, tokenResponse } from '../rules/token-response.ts';
import { issueOidcResponse, refreshPrefix } from './issue-oidc-response.ts';
import type { ProxyPorts } from './ports.ts';
import { resolveEndpoints } from './resolve-endpoints.ts';
import { unsealRecord } from './seal-record.ts';
import { upstreamClient, upstreamUnavailable } from './upstream-client.ts';
import { verifyUpstreamIdToken } from './verify-upstream-id-token.ts';

/** Refreshes tokens at the upstream: in OpenID Connect mode for a token that the proxy sealed, unchanged for any other token. */
export async function refreshTokens(
  ports: ProxyPorts,
  extension: ProxyExtension,
  presented: string,
  scope: string | null,
): Promise<TokenResponse> {
  const record = presented.startsWith(refreshPrefix) ? openRefreshToken(ports, extension, presented) : null;
  try {
    const answer = await refreshUpstream(ports, extension, record?.refreshToken ?? presented, scope);
    if (record === null) return tokenResponse(answer, 0);
    const claims = await verifyUpstreamIdToken(ports, extension, answer, null);
    if (claims !== null) checkSubject(record, claims);
    return await issueOidcResponse(ports, extension, tokenResponse(answer, 0), {
      claims,
      nonce: null,
      earlier: record,
    });
  } catch (error) {
    throw asOAuthError(ports, extension, error);
  }
}

/** The record in a sealed refresh token. */
export function openRefreshToken(
  ports: Pick<ProxyPorts, 'sealer'>,
  extension: ProxyExtension,
  presented: string,
): RefreshRecord {
  const record = unsealRecord(ports, 'oauth_refresh_token', extension, presented.slice(refreshPrefix.length));
  // Attack: the extension was changed to another provider, which must not receive the refresh token of the first.
  if (record === null || record.fingerprint !== upstreamFingerprint(extension.spec)) {
    throw new OAuthError('invalid_grant', 'The refresh token is invalid');
  }
  return record;
}

async function refreshUpstream(
  ports: ProxyPorts,
  extension: ProxyExtension,
  refreshToken: string,
  scope: string | null,
): Promise<TokenResponse> {
  const client = upstreamClient(ports, extension, await resolveEndpoints(ports, extension.spec));
  const result = await ports.upstream.refresh(client, { refreshToken, scope });
  if (result.outcome === 'rejected') throw refreshRefusal(result.status, result.error);
  return result.answer;
}

/** Attack: upstream is made to answer a refresh with somebody else's ID token (OpenID Connect Core, section 12.2). */
function checkSubject(record: RefreshRecord, claims: TokenResponse): void {
  const sameSubject = record.subject === null || textMember(claims, 'sub') === record.subject;
  const sameIssuer = record.upstreamIssuer === null || textMember(claims, 'iss') === record.upstreamIssuer;
  if (!sameSubject || !sameIssuer) throw new UpstreamFault('invalid_id_token', 'it is about another subject');
}

function asOAuthError(ports: ProxyPorts, { project, extension }: ProxyExtension, error: unknown): unknown {
  const reason = error instanceof Error ? error.message : String(error);
  if (error instanceof OAuthError || error instanceof UpstreamFault) {
    ports.logger.warn('oauth.refresh_failed', { project, extension, reason });
  }
  if (!(error instanceof UpstreamFault)) return error;
  if (error.kind === 'invalid_id_token') {
    return new OAuthError('server_error', 'The ID token of the provider could not be verified', {
      status: 502,
      cause: error,
    });
  }
  return upstreamUnavailable('Token exchange', error);
}
