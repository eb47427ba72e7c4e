import { driveHttp } from '../load/http.ts';
import type { BenchCase } from './case.ts';

/** RFC 8693: a controller's RS256 token for an access token. Each request of a connection has a token of its own. */
export const exchange: BenchCase = {
  name: 'token exchange',
  floor: 'floor: node:http',
  run({ issuer, programs }, load) {
    const tokens = Array.from({ length: 256 }, () => issuer.token());
    const requests = tokens.map((token) => ({
      method: 'POST' as const,
      path: '/api/v1/auth/token',
      body: JSON.stringify({
        grant_type: 'urn:ietf:params:oauth:grant-type:token-exchange',
        subject_token_type: 'urn:ietf:params:oauth:token-type:jwt',
        subject_token: token,
      }),
    }));
    return driveHttp(programs.api, {
      ...load,
      headers: { 'content-type': 'application/json' },
      requests: (index, connections) => {
        const start = Math.floor((index / connections) * requests.length);
        return [...requests.slice(start), ...requests.slice(0, start)];
      },
    });
  },
};
