import { type CodeExchangeRequest, exchangeCode, type LoginPorts } from '@platform/login';
import type { AbuseLimits } from '../../http/abuse-limits.ts';
import { answerJson } from '../../http/answer.ts';
import { oauthHandler } from '../../http/oauth-answer.ts';
import { type Parameters, readParameters } from '../../http/read-parameters.ts';
import type { Route } from '../route.ts';

/** `POST /api/v1/auth/code/exchange`: a native client's code for a session token (form or JSON). */
export function codeExchange(ports: LoginPorts, limits: AbuseLimits): Route {
  return {
    method: 'POST',
    path: '/api/v1/auth/code/exchange',
    // The code is the credential, bound to its verifier.
    access: 'public',
    handle: oauthHandler(async (request, response) => {
      limits.take(request);
      const parameters = await readParameters(request, limits.bodyLimit, { json: true });
      answerJson(response, 200, await exchangeCode(ports, readExchange(parameters)));
    }),
  };
}

/** The parameters that are strings; a value of any other type counts as missing. */
function readExchange(parameters: Parameters): CodeExchangeRequest {
  const names = ['grant_type', 'code', 'code_verifier', 'redirect_uri', 'client_id'] as const;
  return Object.fromEntries(
    names.map((name) => [name, parameters[name]]).filter(([, value]) => typeof value === 'string'),
  );
}
