import { clientIdOf, issuerOf, type ProxyExtension } from '../model/extension.ts';
import { upstreamFingerprint } from '../model/extension-spec.ts';
import type { Claims, RefreshRecord, TokenResponse } from '../model/flow.ts';
import { proxyIdTokenClaims } from '../rules/id-token-claims.ts';
import { oidcResponse, textMember } from '../rules/token-response.ts';
import { noSuchExtension } from './find-extension.ts';
import type { ProxyPorts } from './ports.ts';
import { sealRecord } from './seal-record.ts';

/** The prefix of refresh tokens that the proxy sealed. */
export const refreshPrefix = 'platform_rt.';

/** The part of {@link RefreshRecord} that says whom the tokens are about. */
type Identity = Pick<RefreshRecord, 'subject' | 'upstreamIssuer'>;

/** The facts of a login that are not in the upstream's token response. */
export interface LoginFacts {
  /** The verified claims of the ID token in the answer; null when it has none. */
  readonly claims: Claims | null;
  readonly nonce: string | null;
  /** Whom an earlier ID token of the login was about; null when this is the first response. */
  readonly earlier: Identity | null;
}

/** Turns the upstream's token response into that of the proxy as an OpenID provider. */
export async function issueOidcResponse(
  ports: ProxyPorts,
  extension: ProxyExtension,
  answer: TokenResponse,
  { claims, nonce, earlier }: LoginFacts,
): Promise<TokenResponse> {
  const idToken =
    claims === null
      ? null
      : await ports.signer.sign(
          extension.extensionUid,
          proxyIdTokenClaims(claims, {
            issuer: issuerOf(ports.publicUrl, extension),
            clientId: clientIdOf(extension),
            nonce,
            accessToken: textMember(answer, 'access_token'),
          }),
        );
  // The provider takes seconds to answer a refresh, in which the extension can be deleted.
  if (claims !== null && idToken === null) throw noSuchExtension();
  const identity = claims === null ? (earlier ?? unknownIdentity) : identityOf(claims);
  const refreshToken = textMember(answer, 'refresh_token');
  const sealed =
    refreshToken === null
      ? null
      : refreshPrefix +
        sealRecord(ports, 'oauth_refresh_token', extension, {
          refreshToken,
          subject: identity.subject,
          upstreamIssuer: identity.upstreamIssuer,
          fingerprint: upstreamFingerprint(extension.spec),
        });
  return oidcResponse(answer, { idToken, refreshToken: sealed });
}

const unknownIdentity: Identity = { subject: null, upstreamIssuer: null };

function identityOf(claims: Claims): Identity {
  return { subject: textMember(claims, 'sub'), upstreamIssuer: textMember(claims, 'iss') };
}
