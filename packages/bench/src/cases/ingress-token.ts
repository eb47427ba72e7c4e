import { driveHttp } from '../load/http.ts';
import type { BenchCase } from './case.ts';

/** Mints an RS256 token for a private project; two look-ups and a signature. */
export const ingressToken: BenchCase = {
  name: 'mint ingress token',
  floor: 'floor: node:http',
  async run({ api, programs, sql }, load) {
    const [project] = await sql`select 1 from projects where name = 'bench'`;
    if (project === undefined) {
      await api.post('/api/v1/projects', { name: 'bench', owner: { user: 'bench@platform.localhost' } });
    }
    return driveHttp(programs.api, {
      ...load,
      headers: { authorization: `Bearer ${api.session}` },
      requests: () => [{ method: 'GET', path: '/api/v1/auth/ingress?project=bench' }],
    });
  },
};
