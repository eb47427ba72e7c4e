/** The parts of an upstream's discovery document that the proxy uses. The adapter that fetched it has checked its URLs. */
export interface UpstreamMetadata {
  readonly issuer: string;
  readonly authorization_endpoint?: string;
  readonly token_endpoint?: string;
  readonly jwks_uri?: string;
  readonly userinfo_endpoint?: string;
  readonly revocation_endpoint?: string;
  readonly token_endpoint_auth_methods_supported?: readonly string[];
  readonly id_token_signing_alg_values_supported?: readonly string[];
  readonly subject_types_supported?: readonly string[];
  readonly scopes_supported?: readonly string[];
  readonly claims_supported?: readonly string[];
  readonly acr_values_supported?: readonly string[];
  readonly ui_locales_supported?: readonly string[];
  readonly prompt_values_supported?: readonly string[];
  readonly authorization_response_iss_parameter_supported?: boolean;
}

/** The endpoints of a login. */
export interface UpstreamEndpoints {
  readonly authorization: string;
  readonly token: string;
  /** Null for a provider whose endpoints are in the spec. */
  readonly metadata: UpstreamMetadata | null;
}

/** A JSON Web Key (RFC 7517), public members only. */
export type Jwk = Readonly<Record<string, unknown>>;
