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
export { planSigningKeys, type SigningKeyPlan, signingKeyLife } from './rules/signing-keys.ts';
export { authorize } from './usecases/authorize.ts';
export { callback } from './usecases/callback.ts';
export { diagnoseExtension } from './usecases/diagnose-extension.ts';
export { discovery } from './usecases/discovery.ts';
export { environment } from './usecases/environment.ts';
export { allowedOrigins, noOrigins } from './usecases/find-extension.ts';
export { jwks } from './usecases/jwks.ts';
export { newClientSecret } from './usecases/new-client-secret.ts';
export { resealUpstreamSecret, sealPortableSecret } from './usecases/portable-secret.ts';
export type { ProxyPorts } from './usecases/ports.ts';
export { revoke } from './usecases/revoke.ts';
export { token } from './usecases/token.ts';
export { userinfo } from './usecases/userinfo.ts';
