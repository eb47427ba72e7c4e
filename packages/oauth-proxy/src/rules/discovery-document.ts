import { type ExtensionName, issuerOf } from '../model/extension.ts';
import type { OAuthExtensionSpec } from '../model/extension-spec.ts';
import type { UpstreamMetadata } from '../model/upstream-metadata.ts';

/** The members of the upstream's document that also apply to the proxy. */
const keptMembers = [
  'claims_supported',
  'acr_values_supported',
  'ui_locales_supported',
  'prompt_values_supported',
] as const;

/**
 * The discovery document of an extension (OpenID Connect Discovery section 3, RFC 8414 section 2): only the features of the proxy,
 * with its own URLs. It omits `authorization_response_iss_parameter_supported`: only OpenID Connect requests get `iss`, and a
 * client that expects it rejects all other responses.
 */
export function discoveryDocument(
  publicUrl: string,
  name: ExtensionName,
  spec: OAuthExtensionSpec,
  upstream: UpstreamMetadata | null,
): Readonly<Record<string, unknown>> {
  const issuer = issuerOf(publicUrl, name);
  // A client that reads `none` sends no secret, which a confidential extension rejects.
  const publicClients = spec.client_type === 'confidential' ? [] : ['none'];
  const clientMethods = ['client_secret_basic', 'client_secret_post', ...publicClients];
  return {
    issuer,
    authorization_endpoint: `${issuer}/authorize`,
    token_endpoint: `${issuer}/token`,
    jwks_uri: `${issuer}/jwks`,
    ...(upstream?.userinfo_endpoint === undefined ? {} : { userinfo_endpoint: `${issuer}/userinfo` }),
    ...(upstream?.revocation_endpoint === undefined
      ? {}
      : {
          revocation_endpoint: `${issuer}/revoke`,
          revocation_endpoint_auth_methods_supported: clientMethods,
        }),
    scopes_supported: upstream?.scopes_supported ?? spec.scopes ?? ['openid'],
    response_types_supported: ['code'],
    response_modes_supported: ['query'],
    grant_types_supported: ['authorization_code', 'refresh_token'],
    subject_types_supported: upstream?.subject_types_supported ?? ['public'],
    id_token_signing_alg_values_supported: ['RS256'],
    token_endpoint_auth_methods_supported: clientMethods,
    code_challenge_methods_supported: ['S256'],
    claims_parameter_supported: false,
    request_parameter_supported: false,
    request_uri_parameter_supported: false,
    ...Object.fromEntries(
      keptMembers.flatMap((member) => (upstream?.[member] === undefined ? [] : [[member, upstream[member]]])),
    ),
  };
}
