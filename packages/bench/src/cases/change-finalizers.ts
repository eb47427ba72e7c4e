import { driveHttp } from '../load/http.ts';
import { rowOf } from '../stage/written-rows.ts';
import type { BenchCase } from './case.ts';
import { writing, writtenItems } from './written-items.ts';

/** Adds a finalizer to an item, and removes it in the item's next turn. */
export const changeFinalizers: BenchCase = {
  name: 'change finalizers',
  floor: 'floor: UPDATE status',
  ofTable: true,
  async run(stage, load) {
    const items = await writtenItems(stage);
    const held = new Set<number>();
    const headers = { authorization: `Bearer ${stage.api.session}`, 'content-type': 'application/json' };
    return driveHttp(stage.programs.api, {
      ...load,
      headers,
      requests: (index) =>
        writing(items, index, ({ path }, turn) => {
          const row = rowOf(index, turn - 1);
          const verb = held.delete(row) ? 'remove' : 'add';
          if (verb === 'add') held.add(row);
          return { path: `${path}/finalizers`, body: `{"${verb}":["bench.example.dev/hold"]}` };
        }),
    });
  },
};
