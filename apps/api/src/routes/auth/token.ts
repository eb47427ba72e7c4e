import type { ExchangeAnswer, ExchangeParameters } from '@platform/tokens';
import type { AbuseLimits } from '../../http/abuse-limits.ts';
import { answerJson } from '../../http/answer.ts';
import { oauthHandler } from '../../http/oauth-answer.ts';
import { readParameters } from '../../http/read-parameters.ts';
import type { Route } from '../route.ts';

/** `exchangeToken` with everything it needs. */
export type Exchange = (parameters: ExchangeParameters) => Promise<ExchangeAnswer>;

/** `POST /api/v1/auth/token`: exchanges an external token for an access token (RFC 8693). */
export function token(exchange: Exchange, limits: AbuseLimits): Route {
  return {
    method: 'POST',
    path: '/api/v1/auth/token',
    // The subject token is the credential.
    access: 'public',
    handle: oauthHandler(async (request, response) => {
      limits.take(request);
      const parameters = await readParameters(request, limits.bodyLimit, { json: true });
      answerJson(response, 200, await exchange(parameters));
    }),
  };
}
