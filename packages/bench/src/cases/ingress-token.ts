import { driveHttp } from '../load/http.ts';
import { ensureProject, project } from '../stage/project.ts';
import type { BenchCase } from './case.ts';

/** Mints an RS256 token for a private project; two look-ups and a signature. */
export const ingressToken: BenchCase = {
  name: 'mint ingress token',
  floor: 'floor: node:http',
  async run({ api, programs, sql }, load) {
    await ensureProject(sql, api);
    return driveHttp(programs.api, {
      ...load,
      headers: { authorization: `Bearer ${api.session}` },
      requests: () => [{ method: 'GET', path: `/api/v1/auth/ingress?project=${project}` }],
    });
  },
};
