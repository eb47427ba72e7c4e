export type { Diagnosis } from './model/diagnosis.ts';
export {
  callbackUrlOf,
  clientIdOf,
  clientSecretContext,
  type ExtensionName,
  issuerOf,
  type ProxyExtension,
  type StoredClientSecret,
  sealContext,
  upstreamSecretContext,
} from './model/extension.ts';
export {
  extensionSpecSchema,
  isEndpointUrl,
  isIssuerUrl,
  mustResendSecret,
  type OAuthExtensionSpec,
  readExtensionSpec,
  type SpecPolicy,
} from './model/extension-spec.ts';
export { type Claims, stateLifetimeMs } from './model/flow.ts';
export {
  type SharedSigningKey,
  type StoredSigningKey,
  sharedKeyContext,
  signingKeyContext,
} from './model/signing-key.ts';
export type { Jwk, UpstreamMetadata } from './model/upstream-metadata.ts';
export type { ExtensionDirectory } from './ports/extension-directory.ts';
export type { IdTokenSigner, SigningKeyStore } from './ports/id-token-signer.ts';
export type { RateLimiter } from './ports/rate-limiter.ts';
export {
  type Discovery,
  type ForwardedAnswer,
  type IdTokenExpectation,
  type TokenOutcome,
  type Upstream,
  type UpstreamClient,
  UpstreamFault,
  type UpstreamFaultKind,
} from './ports/upstream.ts';
export { rotatedSecrets } from './rules/client-secret.ts';
export { corsHeaders, preflightHeaders, refusalCorsHeaders, refusalPreflightHeaders } from './rules/cors.ts';
export { hasFewValues, parseBounded, parseExact, stringifyExact } from './rules/exact-json.ts';
export { printable } from './rules/parameters.ts';
export { noOrigins } from './rules/redirect-uri.ts';
export { planSigningKeys, type SigningKeyPlan, signingKeyLife } from './rules/signing-keys.ts';
export { completeLogin } from './usecases/complete-login.ts';
export { createClientSecret } from './usecases/create-client-secret.ts';
export { diagnoseExtension } from './usecases/diagnose-extension.ts';
export { fetchUserinfo } from './usecases/fetch-userinfo.ts';
export { findAppOrigins } from './usecases/find-extension.ts';
export { issueTokens } from './usecases/issue-tokens.ts';
export type { ProxyPorts } from './usecases/ports.ts';
export { readDiscoveryDocument } from './usecases/read-discovery-document.ts';
export { readEnvironment } from './usecases/read-environment.ts';
export { readKeySet } from './usecases/read-key-set.ts';
export { revokeToken } from './usecases/revoke-token.ts';
export { resealUpstreamSecret, sealPortableSecret } from './usecases/seal-portable-secret.ts';
export { startLogin } from './usecases/start-login.ts';
