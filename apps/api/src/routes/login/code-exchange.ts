import { exchangeCode, type LoginPorts } from '@platform/login';
import type { AbuseLimits } from '../../http/abuse-limits.ts';
import { answerJson } from '../../http/answer.ts';
import { oauthHandler } from '../../http/oauth-answer.ts';
import { readParameters } from '../../http/read-parameters.ts';
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
      const texts = Object.entries(parameters).filter(
        (entry): entry is [string, string] => typeof entry[1] === 'string',
      );
      answerJson(response, 200, await exchangeCode(ports, new Map(texts)));
    }),
  };
}
