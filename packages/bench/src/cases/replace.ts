import { driveHttp } from '../load/http.ts';
import { apiVersion, spec } from '../stage/kinds.ts';
import type { BenchCase } from './case.ts';
import { writing, writtenItems } from './written-items.ts';

/** Item PUT with the revision that the connection knows, and a spec that differs each time. */
export const replace: BenchCase = {
  name: 'replace',
  floor: 'floor: UPDATE spec',
  ofTable: true,
  async run(stage, load) {
    const items = await writtenItems(stage);
    const headers = { authorization: `Bearer ${stage.api.session}`, 'content-type': 'application/json' };
    return driveHttp(stage.programs.api, {
      ...load,
      headers,
      requests: (index) =>
        writing(items, index, (item, turn) => {
          const metadata = `{"name":"${item.name}","revision":${item.revision++}}`;
          const changed = spec.replace('"size":3', `"size":${turn}`);
          return {
            path: item.path,
            body: `{"apiVersion":"${apiVersion}","kind":"Level1","metadata":${metadata},"spec":${changed}}`,
          };
        }),
    });
  },
};
