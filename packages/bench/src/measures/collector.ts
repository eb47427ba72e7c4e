import type { Sql } from 'postgres';
import { levels, pathOf } from '../stage/kinds.ts';
import type { Program } from '../stage/program.ts';
import type { Stage } from '../stage/stage.ts';
import { makeTree, type Shape, type Tree, untilGone, untilTombstoned } from '../stage/tree.ts';
import type { Figure, Measure } from './measure.ts';

/** Runs with a collector that leads. */
async function withCollector<T>(stage: Stage, act: () => Promise<T>): Promise<T> {
  const collector: Program = stage.startCollector();
  try {
    for (;;) {
      const [led] = await stage.sql`select 1 from leases where name = 'collector' and expires_at > now()`;
      if (led !== undefined) break;
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
    return await act();
  } finally {
    await collector.stop();
  }
}

const [root] = levels;
if (root === undefined) throw new Error('there is no kind at depth 0');
const pathOfRoot = (tree: Tree) => pathOf(root, tree.name);

/** A cascade beside one recursive DELETE of the same tree: from the commit of the request until the root is gone. */
export function cascade(shape: Shape, size: number): Measure {
  const title = `${size.toLocaleString('en')} rows, ${shape}`;
  return {
    name: `cascade: ${title}`,
    async run(stage) {
      const { sql } = stage;
      const floor = await deleteRecursively(sql, await makeTree(sql, shape, size));
      return withCollector(stage, async () => {
        const tree = await makeTree(sql, shape, size);
        const { answeredMs, collectedMs } = await timeCascade(stage, tree);
        const collected = (tree.rows * 1_000) / collectedMs;
        return [
          { name: `floor: recursive DELETE of ${title}`, unit: 'rows/s', value: floor },
          { name: `DELETE answered, ${title}`, unit: 'ms', value: answeredMs },
          { name: `collected, ${title}`, unit: 'rows/s', value: collected },
          { name: `collected in times of the floor, ${title}`, unit: 'x', value: floor / collected },
        ] satisfies Figure[];
      });
    },
  };
}

/** Deletes a root: how long the request took, and how long from its commit, which comes before its answer, until the root is gone. */
async function timeCascade({ api, sql }: Stage, tree: Tree) {
  const asked = performance.now();
  const answered = api.delete(pathOfRoot(tree)).then(() => performance.now());
  await untilTombstoned(sql, tree.uid);
  const committed = performance.now();
  await untilGone(sql, tree.uid);
  const gone = performance.now();
  return { answeredMs: (await answered) - asked, collectedMs: gone - committed };
}

// The collector's triggers are kept off, as in its own transactions: the floor has only the work of the database.
async function deleteRecursively(sql: Sql, tree: Tree): Promise<number> {
  const start = performance.now();
  await sql.begin(async (transaction) => {
    await transaction`set local platform.collecting = 'on'`;
    await transaction`
      with recursive tree as (
        select uid from resources where uid = ${tree.uid}
        union all select r.uid from tree join resources r on r.parent_uid = tree.uid
      ) delete from resources where uid in (select uid from tree)`;
  });
  return (tree.rows * 1_000) / (performance.now() - start);
}

const repeats = 20;

/** From the answer to a DELETE until its one child is gone. */
export const collectorLatency: Measure = {
  name: 'collector latency',
  run: (stage) =>
    withCollector(stage, async () => {
      const { api, sql } = stage;
      const first: number[] = [];
      const last: number[] = [];
      for (let i = 0; i < repeats; i++) {
        const tree = await makeTree(sql, 'wide', 1);
        const [child] = await sql<
          { uid: string }[]
        >`select uid from resources where parent_uid = ${tree.uid}`;
        await api.delete(pathOfRoot(tree));
        const answered = performance.now();
        await untilGone(sql, child?.uid ?? '');
        first.push(performance.now() - answered);
        await untilGone(sql, tree.uid);
        last.push(performance.now() - answered);
      }
      const middle = (values: number[]) => values.sort((a, b) => a - b)[repeats / 2] ?? Number.NaN;
      return [
        { name: 'commit to first row collected', unit: 'ms', value: middle(first) },
        { name: 'commit to root collected', unit: 'ms', value: middle(last) },
      ];
    }),
};

/** The same cascade with and without 10,000 tombstones that a finalizer holds. */
export const stuckTombstones: Measure = {
  name: 'stuck tombstones',
  run: (stage) =>
    withCollector(stage, async () => {
      const { sql } = stage;
      const timed = async () => {
        const tree = await makeTree(sql, 'wide', 10_000);
        return (await timeCascade(stage, tree)).collectedMs;
      };
      const free = await timed();
      const stuck = await makeTree(sql, 'wide', 10_000);
      await sql`
        update resources set finalizers = '{bench.example.dev/hold}', deletion_timestamp = now() - interval '1 day'
        where parent_uid = ${stuck.uid}`;
      await sql`vacuum analyze resources`;
      const hindered = await timed();
      await deleteRecursively(sql, stuck);
      return [
        { name: 'sweep with 10,000 stuck tombstones, in times without', unit: 'x', value: hindered / free },
      ];
    }),
};
