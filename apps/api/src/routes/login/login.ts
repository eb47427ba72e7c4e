import { beginBrowserLogin, beginNativeLogin, type LoginPorts } from '@platform/login';
import type { AbuseLimits } from '../../http/abuse-limits.ts';
import { queryOf } from '../projects/request.ts';
import type { Route } from '../route.ts';
import type { CookieSettings } from './cookies.ts';
import { depart } from './depart.ts';

/** `GET /api/v1/auth/login?redirect=`: login in a browser. */
export function browserLogin(ports: LoginPorts, settings: CookieSettings, limits: AbuseLimits): Route {
  return {
    method: 'GET',
    path: '/api/v1/auth/login',
    access: 'public',
    async handle(request, response) {
      limits.take(request);
      depart(response, await beginBrowserLogin(ports, queryOf(request)), settings);
    },
  };
}

/** `GET /api/v1/auth/authorize`: the OAuth authorization endpoint for native clients of the platform. */
export function nativeLogin(ports: LoginPorts, settings: CookieSettings, limits: AbuseLimits): Route {
  return {
    method: 'GET',
    path: '/api/v1/auth/authorize',
    access: 'public',
    async handle(request, response) {
      limits.take(request);
      depart(response, await beginNativeLogin(ports, queryOf(request)), settings);
    },
  };
}
