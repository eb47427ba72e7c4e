import { driveHttp } from '../load/http.ts';
import type { BenchCase } from './case.ts';
import { writing, writtenItems } from './written-items.ts';

export const replaceStatus: BenchCase = {
  name: 'replace status',
  floor: 'floor: UPDATE status',
  ofTable: true,
  async run(stage, load) {
    const items = await writtenItems(stage);
    const headers = { authorization: `Bearer ${stage.api.session}`, 'content-type': 'application/json' };
    return driveHttp(stage.programs.api, {
      ...load,
      headers,
      requests: (index) =>
        writing(items, index, ({ path }, turn) => ({
          path: `${path}/status`,
          body: `{"status":{"observed":${turn}}}`,
        })),
    });
  },
};
