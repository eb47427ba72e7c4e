import {
  type LoginPorts,
  type NativeLoginRequest,
  startBrowserLogin,
  startNativeLogin,
} from '@platform/login';
import type { AbuseLimits } from '../../http/abuse-limits.ts';
import { singleParameter, singleParameters } from '../../http/query-parameters.ts';
import { queryOf } from '../projects/request.ts';
import type { Route } from '../route.ts';
import type { CookieSettings } from './cookies.ts';
import { sendLoginRedirect } from './login-redirect.ts';

/** `GET /api/v1/auth/login?redirect=`: login in a browser. */
export function browserLogin(ports: LoginPorts, settings: CookieSettings, limits: AbuseLimits): Route {
  return {
    method: 'GET',
    path: '/api/v1/auth/login',
    access: 'public',
    async handle(request, response) {
      limits.take(request);
      const redirect = singleParameter(queryOf(request), 'redirect') ?? '/';
      sendLoginRedirect(response, await startBrowserLogin(ports, redirect), settings);
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
      const login = readNativeLogin(singleParameters(queryOf(request)));
      sendLoginRedirect(response, await startNativeLogin(ports, login), settings);
    },
  };
}

function readNativeLogin(parameters: ReadonlyMap<string, string>): NativeLoginRequest {
  const value = (name: string) => parameters.get(name) ?? null;
  return {
    clientId: value('client_id'),
    redirectUri: value('redirect_uri'),
    responseType: value('response_type'),
    state: value('state'),
    codeChallenge: value('code_challenge'),
    codeChallengeMethod: value('code_challenge_method'),
    nonce: value('nonce'),
  };
}
