/**
 * The fields of the bodies that create typed resources, generated from the OpenAPI document. Do not edit; generate with
 * UPDATE_CLIENT_TYPES=1 pnpm jest apps/api/test/openapi/client-types
 */
export const typedBodies = {
  "ProjectCreate": [
    "name",
    "organization",
    "access_class",
    "url",
    "custom_domains",
    "owner",
    "members"
  ],
  "TeamCreate": [
    "name",
    "organization",
    "members"
  ],
  "EnvironmentWrite": [
    "name"
  ],
  "ServiceAccountWrite": [
    "name",
    "issuer_url",
    "claims"
  ],
  "DeploymentWrite": [
    "environment",
    "expires_at"
  ],
  "ExtensionWrite": [
    "name",
    "type",
    "spec"
  ],
  "ExtensionSpecWrite": [
    "provider_name",
    "description",
    "client_id",
    "client_secret_encrypted",
    "issuer_url",
    "authorization_endpoint",
    "token_endpoint",
    "scopes",
    "redirect_uris",
    "allow_localhost",
    "client_type"
  ]
} as const;
