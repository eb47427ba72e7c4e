export { timing } from './issuer-keys.ts';
export { createJwksKeys, type JwksKeysDeps } from './jwks-keys.ts';
