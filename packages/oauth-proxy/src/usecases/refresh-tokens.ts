import type { ProxyExtension } from '../model/extension.ts';
import { upstreamFingerprint } from '../model/extension-spec.ts';
import type { RefreshRecord, TokenAnswer } from '../model/flow.ts';
import { ProxyError } from '../model/proxy-error.ts';
import { UpstreamFault } from '../ports/upstream.ts';
import { refreshRefusal } from '../rules/refresh-refusal.ts';
import { textMember, tokenAnswer } from '../rules/token-answer.ts';
import { describe, verifiedClaims } from './fetch-tokens.ts';
import { issueOidcAnswer, REFRESH_PREFIX } from './issue-oidc-answer.ts';
import type { ProxyPorts } from './ports.ts';
import { resolveEndpoints } from './resolve-endpoints.ts';
import { unsealRecord } from './seal-record.ts';
import { upstreamClient } from './upstream-client.ts';

/** Refreshes at the upstream. A token that the proxy sealed is refreshed in OpenID Connect mode, any other one passes through. */
export async function refreshTokens(
  ports: ProxyPorts,
  extension: ProxyExtension,
  presented: string,
  scope: string | null,
): Promise<TokenAnswer> {
  const record = presented.startsWith(REFRESH_PREFIX) ? openRefreshToken(ports, extension, presented) : null;
  try {
    const answer = await refreshUpstream(ports, extension, record?.refreshToken ?? presented, scope);
    if (record === null) return tokenAnswer(answer, 0);
    const claims = await verifiedClaims(ports, extension, answer, null);
    if (claims !== null) checkSubject(record, claims);
    return await issueOidcAnswer(ports, extension, tokenAnswer(answer, 0), {
      claims,
      nonce: null,
      subject: record,
    });
  } catch (error) {
    throw asProxyError(ports, extension, error);
  }
}

/** The upstream refresh token behind a sealed one. Also for revocation. */
export function openRefreshToken(
  ports: Pick<ProxyPorts, 'sealer'>,
  extension: ProxyExtension,
  presented: string,
): RefreshRecord {
  const record = unsealRecord(
    ports,
    'oauth_refresh_token',
    extension,
    presented.slice(REFRESH_PREFIX.length),
  );
  // Attack: the extension was pointed at another provider since; the old provider's token is none of its business.
  if (record === null || record.fingerprint !== upstreamFingerprint(extension.spec)) {
    throw new ProxyError('invalid_grant', 'The refresh token is invalid');
  }
  return record;
}

async function refreshUpstream(
  ports: ProxyPorts,
  extension: ProxyExtension,
  refreshToken: string,
  scope: string | null,
): Promise<TokenAnswer> {
  const client = upstreamClient(ports, extension, await resolveEndpoints(ports, extension.spec));
  if (client === null) {
    throw new ProxyError('server_error', 'The stored client secret of the provider cannot be decrypted', {
      status: 500,
    });
  }
  const result = await ports.upstream.refresh(client, { refreshToken, scope });
  if (result.outcome === 'rejected') throw refreshRefusal(result.status, result.error);
  return result.answer;
}

/** Attack: upstream is made to answer a refresh with somebody else's ID token (OpenID Connect Core, section 12.2). */
function checkSubject(record: RefreshRecord, claims: TokenAnswer): void {
  const sameSubject = record.subject === null || textMember(claims, 'sub') === record.subject;
  const sameIssuer = record.upstreamIssuer === null || textMember(claims, 'iss') === record.upstreamIssuer;
  if (!sameSubject || !sameIssuer) throw new UpstreamFault('invalid_id_token', 'it is about another subject');
}

function asProxyError(ports: ProxyPorts, { project, extension }: ProxyExtension, error: unknown): unknown {
  const reason = error instanceof Error ? error.message : String(error);
  if (error instanceof ProxyError || error instanceof UpstreamFault) {
    ports.logger.warn('oauth.refresh_failed', { project, extension, reason });
  }
  if (!(error instanceof UpstreamFault)) return error;
  if (error.kind === 'invalid_id_token') {
    return new ProxyError('server_error', 'The ID token of the provider could not be verified', {
      status: 502,
      cause: error,
    });
  }
  return new ProxyError('temporarily_unavailable', `Token exchange failed: ${describe(error)}`, {
    status: 503,
    cause: error,
  });
}
