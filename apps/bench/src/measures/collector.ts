import postgres, { type Sql } from 'postgres';
import type { Fixture } from '../fixture/fixture.ts';
import { kindAt, pathOf } from '../fixture/kinds.ts';
import {
  countRows,
  createTree,
  type Shape,
  type Tree,
  waitUntilDeleted,
  waitUntilTombstoned,
} from '../fixture/tree.ts';
import { median } from '../statistics.ts';
import type { Figure, Measure } from './measure.ts';

/** The time limit for collecting one tree, and for deleting one in a single statement. */
const timeoutSeconds = 60;
const notFinished = `not finished within ${timeoutSeconds} s`;

const pathOfRoot = (tree: Tree) => pathOf(kindAt(0), tree.name);

/** Compares a cascade, from the commit of the request until the root is deleted, with one recursive DELETE of an equal tree. */
export function cascade(shape: Shape, size: number): Measure {
  const title = `${size.toLocaleString('en')} rows, ${shape}`;
  return {
    name: `cascade: ${title}`,
    needsCollector: true,
    async run(fixture) {
      const baseline = await timeBaseline(fixture.sql, await createTree(fixture.sql, shape, size));
      const cascade = await timeCascade(fixture, await createTree(fixture.sql, shape, size));
      const markUnfinished = (unfinished: string | undefined) =>
        unfinished === undefined ? {} : { unfinished };
      return [
        {
          name: `baseline: recursive DELETE of ${title}`,
          unit: 'rows/s',
          value: baseline.perSecond,
          ...markUnfinished(baseline.unfinished),
        },
        ...(cascade.answeredMs === undefined
          ? []
          : [{ name: `DELETE answered, ${title}`, unit: 'ms', value: cascade.answeredMs } as const]),
        {
          name: `collected, ${title}`,
          unit: 'rows/s',
          value: cascade.perSecond,
          ...markUnfinished(cascade.unfinished),
        },
        {
          name: `collection time relative to baseline, ${title}`,
          unit: 'x',
          value: baseline.perSecond / cascade.perSecond,
          ...markUnfinished(cascade.unfinished ?? baseline.unfinished),
        },
      ] satisfies Figure[];
    },
  };
}

interface CascadeResult {
  /** Undefined if the request timed out. */
  readonly answeredMs: number | undefined;
  readonly collectedMs: number;
  readonly perSecond: number;
  readonly unfinished?: string;
}

/**
 * Deletes a root, and measures the request and the time from its commit until the root is deleted. After a timeout it removes the
 * remaining rows, so that they do not affect the next measure.
 */
async function timeCascade({ api, sql }: Fixture, tree: Tree): Promise<CascadeResult> {
  const signal = AbortSignal.timeout(timeoutSeconds * 1_000);
  const start = performance.now();
  const answered = api.delete(pathOfRoot(tree), signal).then(() => performance.now() - start);
  const collected = async () => {
    await waitUntilTombstoned(sql, tree.uid, signal);
    const committed = performance.now();
    const gone = await waitUntilDeleted(sql, tree.uid, signal);
    return { gone, collectedMs: performance.now() - committed };
  };
  // A failed request ends the measure; after a timeout, the rows of the tree that remain tell the result.
  const failedRequest = answered.then(
    () => new Promise<never>(() => undefined),
    (error) => (signal.aborted ? new Promise<never>(() => undefined) : Promise.reject(error)),
  );
  const { gone, collectedMs } = await Promise.race([collected(), failedRequest]);
  if (gone) {
    return { answeredMs: await answered, collectedMs, perSecond: (tree.rows * 1_000) / collectedMs };
  }
  const remaining = await countRows(sql, tree);
  await deleteRecursively(sql, tree);
  return {
    answeredMs: await answered.catch(() => undefined),
    collectedMs: timeoutSeconds * 1_000,
    perSecond: (tree.rows - remaining) / timeoutSeconds,
    unfinished: `${notFinished}, ${remaining.toLocaleString('en')} rows left`,
  };
}

async function timeBaseline(sql: Sql, tree: Tree): Promise<{ perSecond: number; unfinished?: string }> {
  const start = performance.now();
  const done = await deleteRecursively(sql, tree);
  const perSecond = (tree.rows * 1_000) / (performance.now() - start);
  return done ? { perSecond } : { perSecond, unfinished: notFinished };
}

const queryCanceled = '57014';

// Disables the triggers of the collector, as its own transactions do, so that the baseline contains only the work of the database.
async function deleteRecursively(sql: Sql, tree: Tree): Promise<boolean> {
  try {
    await sql.begin(async (transaction) => {
      await transaction`set local platform.collecting = 'on'`;
      await transaction.unsafe(`set local statement_timeout = '${timeoutSeconds}s'`);
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

/** The time from the response to a DELETE until the only child is deleted, and until the root is. */
export const collectorLatency: Measure = {
  name: 'collector latency',
  needsCollector: true,
  async run({ api, sql }) {
    const signal = AbortSignal.timeout(timeoutSeconds * 1_000);
    const first: number[] = [];
    const last: number[] = [];
    for (let i = 0; i < repeats && !signal.aborted; i++) {
      const tree = await createTree(sql, 'wide', 1);
      const [child] = await sql<{ uid: string }[]>`select uid from resources where parent_uid = ${tree.uid}`;
      await api.delete(pathOfRoot(tree));
      const answered = performance.now();
      await waitUntilDeleted(sql, child?.uid ?? '', signal);
      first.push(performance.now() - answered);
      await waitUntilDeleted(sql, tree.uid, signal);
      last.push(performance.now() - answered);
    }
    const unfinished = signal.aborted ? { unfinished: notFinished } : {};
    return [
      { name: 'commit to first row collected', unit: 'ms', value: median(first), ...unfinished },
      { name: 'commit to root collected', unit: 'ms', value: median(last), ...unfinished },
    ];
  },
};

/**
 * Compares the same cascade with and without 10,000 tombstones that a finalizer blocks. The order is without, twice with, and without
 * again, so that a drift of the machine favours neither.
 */
export const stuckTombstones: Measure = {
  name: 'stuck tombstones',
  needsCollector: true,
  async run(fixture) {
    const { sql } = fixture;
    const timed = async () => timeCascade(fixture, await createTree(sql, 'wide', 10_000));
    const before = await timed();
    const stuck = await createTree(sql, 'wide', 10_000);
    await sql`
      update resources set finalizers = '{bench.example.dev/hold}', deletion_timestamp = now() - interval '1 day'
      where parent_uid = ${stuck.uid}`;
    await sql`vacuum analyze resources`;
    const withStuck = [await timed(), await timed()];
    await deleteRecursively(sql, stuck);
    const withoutStuck = [before, await timed()];
    const sum = (cascades: readonly CascadeResult[]) =>
      cascades.reduce((all, { collectedMs }) => all + collectedMs, 0);
    const unfinished = [...withoutStuck, ...withStuck].find((cascade) => cascade.unfinished)?.unfinished;
    return [
      {
        name: 'run with 10,000 stuck tombstones, relative to none',
        unit: 'x',
        value: sum(withStuck) / sum(withoutStuck),
        ...(unfinished !== undefined && { unfinished }),
      },
    ];
  },
};
