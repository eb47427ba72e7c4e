/**
 * The kinds of typed resources and the fields of the bodies that create them, generated from the OpenAPI document. Do not edit; generate with
 * UPDATE_CLIENT_TYPES=1 pnpm jest apps/api/test/openapi/client-types
 */
export const generatedKinds = [
  {
    "kind": "Project",
    "plural": "projects",
    "inProject": false,
    "fields": [
      "name",
      "organization",
      "access_class",
      "url",
      "custom_domains",
      "owner",
      "members"
    ]
  },
  {
    "kind": "Team",
    "plural": "teams",
    "inProject": false,
    "fields": [
      "name",
      "organization",
      "members"
    ]
  },
  {
    "kind": "Environment",
    "plural": "environments",
    "inProject": true,
    "fields": [
      "name"
    ]
  },
  {
    "kind": "ServiceAccount",
    "plural": "service-accounts",
    "inProject": true,
    "fields": [
      "name",
      "issuer_url",
      "claims"
    ]
  },
  {
    "kind": "Deployment",
    "plural": "deployments",
    "inProject": true,
    "fields": [
      "environment",
      "expires_at"
    ]
  },
  {
    "kind": "Extension",
    "plural": "extensions",
    "inProject": true,
    "fields": [
      "name",
      "type",
      "spec"
    ]
  }
] as const;
