export * from './model/diagnosis.ts';
export * from './model/environment.ts';
export * from './model/extension.ts';
export * from './model/extension-spec.ts';
export * from './model/flow.ts';
export * from './model/messages.ts';
export * from './model/signing-key.ts';
export * from './model/upstream-metadata.ts';
export * from './ports/extension-directory.ts';
export * from './ports/id-token-signer.ts';
export * from './ports/id-token-signer.ts';
export * from './ports/rate-limiter.ts';
export * from './ports/upstream.ts';
export * from './rules/client-secret.ts';
export * from './rules/cors.ts';
export * from './rules/discovery-document.ts';
export * from './rules/exact-json.ts';
export * from './rules/id-token-claims.ts';
export * from './rules/key-set.ts';
export * from './rules/parameters.ts';
export * from './rules/redirect-uri.ts';
export * from './rules/signing-keys.ts';
export { authorize } from './usecases/authorize.ts';
export { type CallbackRequest, callback } from './usecases/callback.ts';
export { diagnoseExtension } from './usecases/diagnose-extension.ts';
export { discovery } from './usecases/discovery.ts';
export { environment } from './usecases/environment.ts';
export { allowedOrigins, noOrigins } from './usecases/find-extension.ts';
export { jwks } from './usecases/jwks.ts';
export { newClientSecret } from './usecases/new-client-secret.ts';
export {
  resealUpstreamSecret,
  type SecretRecipient,
  sealPortableSecret,
} from './usecases/portable-secret.ts';
export type { ProxyPorts } from './usecases/ports.ts';
export { revoke } from './usecases/revoke.ts';
export { type TokenRequest, token } from './usecases/token.ts';
export { userinfo } from './usecases/userinfo.ts';
