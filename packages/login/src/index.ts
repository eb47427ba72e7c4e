export { bindingSeconds, handoverPath, handoverSeconds, type Visitor } from './model/handover.ts';
export { codeSeconds, nativeClientId, tripSeconds } from './model/trip.ts';
export {
  type IdentityProvider,
  IdentityProviderFault,
  type IdTokenClaims,
} from './ports/identity-provider.ts';
export type { OneTimeStore, ProjectOrigins, UserDirectory } from './ports/login-store.ts';
export { readProjectPath } from './rules/project-path.ts';
export { isLoopbackRedirect, readBrowserRedirect } from './rules/redirects.ts';
export { beginBrowserLogin } from './usecases/begin-browser-login.ts';
export { beginNativeLogin } from './usecases/begin-native-login.ts';
export { callbackUrl, type Departure } from './usecases/begin-trip.ts';
export { type Confirmation, confirmLogin } from './usecases/confirm-login.ts';
export { type CodeExchangeAnswer, exchangeCode } from './usecases/exchange-code.ts';
export { beginHandover, finishHandover, type HandoverDeparture } from './usecases/finish-handover.ts';
export { type Arrival, finishTrip } from './usecases/finish-trip.ts';
export type { LoginPorts } from './usecases/ports.ts';
export { type HandoverPorts, startHandover, type VisitedSite } from './usecases/start-handover.ts';
