import { clientIdOf, issuerOf, type ProxyExtension } from '../model/extension.ts';
import { upstreamFingerprint } from '../model/extension-spec.ts';
import type { Claims, TokenResponse } from '../model/flow.ts';
import { proxyIdTokenClaims } from '../rules/id-token-claims.ts';
import { oidcResponse, textMember } from '../rules/token-response.ts';
import { noSuchExtension } from './find-extension.ts';
import type { ProxyPorts } from './ports.ts';
import { sealRecord } from './seal-record.ts';

/** The prefix of refresh tokens that the proxy sealed. */
export const refreshPrefix = 'platform_rt.';

/** The facts of a login that are not in the upstream's token response. */
export interface Login {
  /** The verified claims of the ID token in the answer; null when it has none. */
  readonly claims: Claims | null;
  readonly nonce: string | null;
  /** The subject of an earlier ID token of the login, if there was one. */
  readonly subject: { readonly subject: string | null; readonly upstreamIssuer: string | null } | null;
}

/** Turns the upstream's token response into that of the proxy as an OpenID provider. */
export async function issueOidcResponse(
  ports: ProxyPorts,
  extension: ProxyExtension,
  answer: TokenResponse,
  { claims, nonce, subject }: Login,
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
  const refreshToken = textMember(answer, 'refresh_token');
  const sealed =
    refreshToken === null
      ? null
      : refreshPrefix +
        sealRecord(ports, 'oauth_refresh_token', extension, {
          refreshToken,
          subject: claims === null ? (subject?.subject ?? null) : textMember(claims, 'sub'),
          upstreamIssuer: claims === null ? (subject?.upstreamIssuer ?? null) : textMember(claims, 'iss'),
          fingerprint: upstreamFingerprint(extension.spec),
        });
  return oidcResponse(answer, { idToken, refreshToken: sealed });
}
