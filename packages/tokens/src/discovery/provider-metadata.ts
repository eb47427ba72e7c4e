/**
 * The OpenID provider metadata of the platform itself (OpenID Connect Discovery 1.0 section 3), served at
 * `/.well-known/openid-configuration`. Lists only what exists, and says `false` for what an absent member would promise.
 */
export function providerMetadata(publicUrl: string): Readonly<Record<string, unknown>> {
  return {
    issuer: publicUrl,
    authorization_endpoint: `${publicUrl}/api/v1/auth/authorize`,
    token_endpoint: `${publicUrl}/api/v1/auth/code/exchange`,
    device_authorization_endpoint: `${publicUrl}/api/v1/auth/device/code`,
    jwks_uri: `${publicUrl}/api/v1/auth/jwks`,
    revocation_endpoint: `${publicUrl}/api/v1/auth/revoke`,
    revocation_endpoint_auth_methods_supported: ['none'],
    introspection_endpoint: `${publicUrl}/api/v1/auth/introspect`,
    // RFC 8414, section 2: here a type of access token may stand in place of a client authentication method.
    introspection_endpoint_auth_methods_supported: ['Bearer'],
    scopes_supported: ['openid', 'email', 'profile'],
    response_types_supported: ['code'],
    response_modes_supported: ['query'],
    grant_types_supported: ['authorization_code', 'urn:ietf:params:oauth:grant-type:device_code'],
    subject_types_supported: ['public'],
    id_token_signing_alg_values_supported: ['RS256'],
    token_endpoint_auth_methods_supported: ['none'],
    code_challenge_methods_supported: ['S256'],
    // RFC 9207: the answer of the authorization endpoint names who answers, errors included.
    authorization_response_iss_parameter_supported: true,
    claims_supported: ['iss', 'aud', 'sub', 'iat', 'exp', 'auth_time', 'nonce', 'email'],
    claims_parameter_supported: false,
    request_parameter_supported: false,
    request_uri_parameter_supported: false,
  };
}
