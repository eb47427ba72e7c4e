export { codeSeconds, nativeClientId, tripSeconds } from './model/trip.ts';
export {
  type IdentityProvider,
  IdentityProviderFault,
  type IdTokenClaims,
} from './ports/identity-provider.ts';
export type { OneTimeStore, ProjectOrigins, UserDirectory } from './ports/login-store.ts';
export { isLoopbackRedirect, readBrowserRedirect } from './rules/redirects.ts';
export { beginBrowserLogin } from './usecases/begin-browser-login.ts';
export { beginNativeLogin } from './usecases/begin-native-login.ts';
export { callbackUrl, type Departure } from './usecases/begin-trip.ts';
export { type CodeExchangeAnswer, exchangeCode } from './usecases/exchange-code.ts';
export { type Arrival, finishTrip } from './usecases/finish-trip.ts';
export type { LoginPorts } from './usecases/ports.ts';
