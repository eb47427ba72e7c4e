export { bindingSeconds, type HandoverRequest, handoverPath, type Visitor } from './model/handover.ts';
export { type Authentication, nativeClientId } from './model/login-transaction.ts';
export type { DeviceAuthorization, DeviceAuthorizationStore } from './ports/device-authorization-store.ts';
export {
  type IdentityProvider,
  IdentityProviderError,
  type IdTokenClaims,
  InvalidAuthorizationResponse,
} from './ports/identity-provider.ts';
export type { ProjectOrigins, UsedStates, UserDirectory } from './ports/stores.ts';
export type { NativeLoginRequest } from './rules/native-login-request.ts';
export { readProjectPath } from './rules/project-path.ts';
export { formatUserCode, normalizeUserCode } from './rules/user-code.ts';
export { completeHandover } from './usecases/complete-handover.ts';
export { completeLogin, type LoginResult } from './usecases/complete-login.ts';
export { confirmDevice, type DeviceConfirmation } from './usecases/confirm-device.ts';
export { type Confirmation, confirmLogin } from './usecases/confirm-login.ts';
export { type CodeExchangeRequest, exchangeCode } from './usecases/exchange-code.ts';
export type { LoginPorts, UserCodeAttempts } from './usecases/ports.ts';
export { authorizeDevice, devicePath, startDeviceLogin } from './usecases/start-device-login.ts';
export { type HandoverPorts, requestHandover, startHandover } from './usecases/start-handover.ts';
export {
  type LoginRedirect,
  startBrowserLogin,
  startNativeLogin,
} from './usecases/start-login.ts';
export { storedLoginContexts } from './usecases/stored-login-contexts.ts';
