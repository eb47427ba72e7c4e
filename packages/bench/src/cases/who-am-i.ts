import { driveHttp } from '../load/http.ts';
import type { BenchCase } from './case.ts';

/** Says who the caller is: the cost of the pipeline and of verifying a session, without the database. */
export const whoAmI: BenchCase = {
  name: 'verify session',
  floor: 'floor: express res.json',
  run: ({ api, programs }, load) =>
    driveHttp(programs.api, {
      ...load,
      headers: { authorization: `Bearer ${api.session}` },
      requests: () => [{ method: 'GET', path: '/api/v1/auth/me' }],
    }),
};
