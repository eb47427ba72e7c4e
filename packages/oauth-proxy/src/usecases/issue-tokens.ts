import { OAuthError } from '@platform/kernel';
import type { ExtensionName } from '../model/extension.ts';
import type { TokenResponse } from '../model/flow.ts';
import { authenticateClient, type ClientRequest, invalidClient } from '../rules/client-authentication.ts';
import { requireParameter } from '../rules/parameters.ts';
import { isPlatformToken } from '../rules/platform-token.ts';
import { findExtension } from './find-extension.ts';
import type { ProxyPorts } from './ports.ts';
import { redeemCode } from './redeem-code.ts';
import { refreshTokens } from './refresh-tokens.ts';

/** Issues the tokens of a token request (RFC 6749 sections 4.1.3 and 6). Throws {@link OAuthError}. */
export async function issueTokens(
  ports: ProxyPorts,
  name: ExtensionName,
  request: ClientRequest,
): Promise<TokenResponse> {
  const extension = await findExtension(ports, name);
  const { parameters } = request;
  const grantType = requireParameter(parameters, 'grant_type');
  if (grantType !== 'authorization_code' && grantType !== 'refresh_token') {
    throw new OAuthError('unsupported_grant_type', 'grant_type must be authorization_code or refresh_token');
  }
  const client = authenticateClient(request, extension);
  if (grantType === 'authorization_code') {
    return redeemCode(ports, extension, requireParameter(parameters, 'code'), {
      client,
      redirectUri: parameters.get('redirect_uri') ?? null,
      verifier: parameters.get('code_verifier') ?? null,
    });
  }
  // Only clients with a secret may refresh tokens.
  if (client === 'public') throw invalidClient({ usedHeader: request.authorization !== undefined });
  const scope = parameters.get('scope') ?? null;
  const refreshToken = requireParameter(parameters, 'refresh_token');
  if (isPlatformToken(refreshToken, ports.publicUrl)) {
    throw new OAuthError('invalid_grant', 'The token was issued by the platform, not by the provider');
  }
  return refreshTokens(ports, extension, refreshToken, scope);
}
