import type { BenchCase } from '../bench-case.ts';
import { ensureProject, project } from '../fixture/api.ts';
import { driveHttp } from '../load/http.ts';

/** Exchanges a controller's RS256 token for an access token (RFC 8693). The tokens of a connection are all different. */
export const exchange: BenchCase = {
  name: 'token exchange',
  baseline: 'baseline: node:http',
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

/** Mints an RS256 token for a private project: two look-ups and a signature. */
export const ingressToken: BenchCase = {
  name: 'mint ingress token',
  baseline: 'baseline: node:http',
  async run({ api, programs, sql }, load) {
    await ensureProject(sql, api);
    return driveHttp(programs.api, {
      ...load,
      headers: { authorization: `Bearer ${api.session}` },
      requests: () => [{ method: 'GET', path: `/api/v1/auth/ingress?project=${project}` }],
    });
  },
};
