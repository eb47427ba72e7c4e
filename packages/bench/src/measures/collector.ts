import postgres, { type Sql } from 'postgres';
import { levels, pathOf } from '../stage/kinds.ts';
import type { Stage } from '../stage/stage.ts';
import { makeTree, rowsLeft, type Shape, type Tree, untilGone, untilTombstoned } from '../stage/tree.ts';
import { median } from '../statistics.ts';
import type { Figure, Measure } from './measure.ts';

/** Longest time for one tree to be collected, and for one to be deleted in a statement; a tree of 100,000 rows takes a few seconds. */
const boundSeconds = 60;
const notFinished = `not finished within ${boundSeconds} s`;

const [root] = levels;
if (root === undefined) throw new Error('there is no kind at depth 0');
const pathOfRoot = (tree: Tree) => pathOf(root, tree.name);

/** A cascade beside one recursive DELETE of the same tree: from the commit of the request until the root is gone. */
export function cascade(shape: Shape, size: number): Measure {
  const title = `${size.toLocaleString('en')} rows, ${shape}`;
  return {
    name: `cascade: ${title}`,
    collects: true,
    async run(stage) {
      const floor = await timeFloor(stage.sql, await makeTree(stage.sql, shape, size));
      const cascade = await timeCascade(stage, await makeTree(stage.sql, shape, size));
      const mark = (unfinished: string | undefined) => (unfinished === undefined ? {} : { unfinished });
      return [
        {
          name: `floor: recursive DELETE of ${title}`,
          unit: 'rows/s',
          value: floor.perSecond,
          ...mark(floor.unfinished),
        },
        ...(cascade.answeredMs === undefined
          ? []
          : [{ name: `DELETE answered, ${title}`, unit: 'ms', value: cascade.answeredMs } as const]),
        {
          name: `collected, ${title}`,
          unit: 'rows/s',
          value: cascade.perSecond,
          ...mark(cascade.unfinished),
        },
        {
          name: `collected in times of the floor, ${title}`,
          unit: 'x',
          value: floor.perSecond / cascade.perSecond,
          ...mark(cascade.unfinished ?? floor.unfinished),
        },
      ] satisfies Figure[];
    },
  };
}

interface Cascade {
  /** Undefined when the bound came first. */
  readonly answeredMs: number | undefined;
  readonly collectedMs: number;
  readonly perSecond: number;
  readonly unfinished?: string;
}

/**
 * Deletes a root: how long the request took, and how long from its commit, which comes before its answer, until the root is gone.
 * What is left when the bound comes is removed, so that the next measure finds nothing of it.
 */
async function timeCascade({ api, sql }: Stage, tree: Tree): Promise<Cascade> {
  const signal = AbortSignal.timeout(boundSeconds * 1_000);
  const asked = performance.now();
  const answered = api.delete(pathOfRoot(tree), signal).then(() => performance.now() - asked);
  const collected = async () => {
    await untilTombstoned(sql, tree.uid, signal);
    const committed = performance.now();
    const gone = await untilGone(sql, tree.uid, signal);
    return { gone, collectedMs: performance.now() - committed };
  };
  // A request that is refused must not be waited for; one that the bound cut off is told by the tree, which is still there.
  const refused = answered.then(
    () => new Promise<never>(() => undefined),
    (error) => (signal.aborted ? new Promise<never>(() => undefined) : Promise.reject(error)),
  );
  const { gone, collectedMs } = await Promise.race([collected(), refused]);
  if (gone) {
    return { answeredMs: await answered, collectedMs, perSecond: (tree.rows * 1_000) / collectedMs };
  }
  const left = await rowsLeft(sql, tree);
  await deleteRecursively(sql, tree);
  return {
    answeredMs: await answered.catch(() => undefined),
    collectedMs: boundSeconds * 1_000,
    perSecond: (tree.rows - left) / boundSeconds,
    unfinished: `${notFinished}, ${left.toLocaleString('en')} rows left`,
  };
}

async function timeFloor(sql: Sql, tree: Tree): Promise<{ perSecond: number; unfinished?: string }> {
  const start = performance.now();
  const done = await deleteRecursively(sql, tree);
  const perSecond = (tree.rows * 1_000) / (performance.now() - start);
  return done ? { perSecond } : { perSecond, unfinished: notFinished };
}

const queryCanceled = '57014';

// The collector's triggers are kept off, as in its own transactions: the floor has only the work of the database.
async function deleteRecursively(sql: Sql, tree: Tree): Promise<boolean> {
  try {
    await sql.begin(async (transaction) => {
      await transaction`set local platform.collecting = 'on'`;
      await transaction.unsafe(`set local statement_timeout = '${boundSeconds}s'`);
      await transaction`
        with recursive tree as (
          select uid from resources where uid = ${tree.uid}
          union all select r.uid from tree join resources r on r.parent_uid = tree.uid
        ) delete from resources where uid in (select uid from tree)`;
    });
    return true;
  } catch (error) {
    if (error instanceof postgres.PostgresError && error.code === queryCanceled) return false;
    throw error;
  }
}

const repeats = 20;

/** From the answer to a DELETE until its one child is gone. */
export const collectorLatency: Measure = {
  name: 'collector latency',
  collects: true,
  async run({ api, sql }) {
    const signal = AbortSignal.timeout(boundSeconds * 1_000);
    const first: number[] = [];
    const last: number[] = [];
    for (let i = 0; i < repeats && !signal.aborted; i++) {
      const tree = await makeTree(sql, 'wide', 1);
      const [child] = await sql<{ uid: string }[]>`select uid from resources where parent_uid = ${tree.uid}`;
      await api.delete(pathOfRoot(tree));
      const answered = performance.now();
      await untilGone(sql, child?.uid ?? '', signal);
      first.push(performance.now() - answered);
      await untilGone(sql, tree.uid, signal);
      last.push(performance.now() - answered);
    }
    const mark = signal.aborted ? { unfinished: notFinished } : {};
    return [
      { name: 'commit to first row collected', unit: 'ms', value: median(first), ...mark },
      { name: 'commit to root collected', unit: 'ms', value: median(last), ...mark },
    ];
  },
};

/**
 * The same cascade with and without 10,000 tombstones that a finalizer holds: without, twice with, and without again, so that what warms up or
 * wears off from one to the next favours neither.
 */
export const stuckTombstones: Measure = {
  name: 'stuck tombstones',
  collects: true,
  async run(stage) {
    const { sql } = stage;
    const timed = async () => timeCascade(stage, await makeTree(sql, 'wide', 10_000));
    const before = await timed();
    const stuck = await makeTree(sql, 'wide', 10_000);
    await sql`
      update resources set finalizers = '{bench.example.dev/hold}', deletion_timestamp = now() - interval '1 day'
      where parent_uid = ${stuck.uid}`;
    await sql`vacuum analyze resources`;
    const hindered = [await timed(), await timed()];
    await deleteRecursively(sql, stuck);
    const free = [before, await timed()];
    const sum = (cascades: readonly Cascade[]) =>
      cascades.reduce((all, { collectedMs }) => all + collectedMs, 0);
    const unfinished = [...free, ...hindered].find((cascade) => cascade.unfinished)?.unfinished;
    return [
      {
        name: 'sweep with 10,000 stuck tombstones, in times without',
        unit: 'x',
        value: sum(hindered) / sum(free),
        ...(unfinished !== undefined && { unfinished }),
      },
    ];
  },
};
