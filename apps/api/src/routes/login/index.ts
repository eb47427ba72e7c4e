import type { LoginPorts } from '@platform/login';
import type { Endpoint } from '../../endpoint/descriptor.ts';
import { callback } from './callback.ts';
import { codeExchange } from './code-exchange.ts';
import { confirm } from './confirm.ts';
import type { CookieSettings } from './cookies.ts';
import { deviceCode } from './device-code.ts';
import { deviceConfirm } from './device-confirm.ts';
import { deviceLogin, devicePage } from './device-page.ts';
import { browserLogin, nativeLogin } from './login.ts';
import { type LogoutDeps, logout } from './logout.ts';
import { type MeDeps, me } from './me.ts';

/** The dependencies of the login endpoints. */
export interface LoginDeps extends MeDeps {
  readonly ports: LoginPorts;
  readonly cookies: CookieSettings;
  readonly endSession: LogoutDeps['endSession'];
}

/** Login of people, in browsers, native clients and on devices. */
export const loginEndpoints: readonly Endpoint<LoginDeps>[] = [
  browserLogin,
  nativeLogin,
  callback,
  confirm,
  codeExchange,
  deviceCode,
  devicePage,
  deviceLogin,
  deviceConfirm,
  logout,
  me,
];
