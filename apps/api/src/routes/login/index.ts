import type { LoginPorts } from '@platform/login';
import type { AbuseLimits } from '../../http/abuse-limits.ts';
import type { Route } from '../route.ts';
import { callback } from './callback.ts';
import { codeExchange } from './code-exchange.ts';
import { confirm } from './confirm.ts';
import type { CookieSettings } from './cookies.ts';
import { browserLogin, nativeLogin } from './login.ts';
import { logout } from './logout.ts';
import { me } from './me.ts';

/** The dependencies of the login endpoints. */
export interface LoginParts {
  readonly ports: LoginPorts;
  readonly cookies: CookieSettings;
  readonly limits: AbuseLimits;
}

/** Login of people, in browsers and native clients. */
export function loginRoutes({ ports, cookies, limits }: LoginParts): readonly Route[] {
  return [
    browserLogin(ports, cookies, limits),
    nativeLogin(ports, cookies, limits),
    callback(ports, cookies, limits),
    confirm(ports, cookies, limits),
    codeExchange(ports, limits),
    logout(cookies, new URL(ports.publicUrl).origin),
    me(),
  ];
}
