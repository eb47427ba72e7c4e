import type { LoginPorts } from '@platform/login';
import type { Route } from '../route.ts';
import { callback } from './callback.ts';
import { codeExchange } from './code-exchange.ts';
import type { CookieSettings } from './cookies.ts';
import { browserLogin, nativeLogin } from './login.ts';
import { logout } from './logout.ts';
import { me } from './me.ts';

/** What the login endpoints are made of. */
export interface LoginParts {
  readonly ports: LoginPorts;
  readonly cookies: CookieSettings;
  /** `server.body_limit_bytes`. */
  readonly bodyLimit: number;
}

/** Login of people, in browsers and native clients. */
export function loginRoutes({ ports, cookies, bodyLimit }: LoginParts): readonly Route[] {
  return [
    browserLogin(ports, cookies),
    nativeLogin(ports, cookies),
    callback(ports, cookies),
    codeExchange(ports, bodyLimit),
    logout(cookies, new URL(ports.publicUrl).origin),
    me(),
  ];
}
