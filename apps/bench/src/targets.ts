import { accessCase } from './cases/access.ts';
import { rateWithLog } from './measures/change-log.ts';
import { informerFigure, informerWays } from './measures/informer.ts';
import { changesFigure, kindsFigure } from './measures/many-kinds.ts';
import type { MeasuredFigure } from './measures/measure.ts';
import { reconcileFigure } from './measures/reconcile.ts';
import { figureWithFreeDatabase } from './measures/scaling.ts';
import { idleTransactions } from './measures/watch.ts';
import { type Result, ratioTo } from './rounds.ts';

/** The results of one run. */
export interface Measured {
  readonly results: readonly Result[];
  readonly figures: readonly MeasuredFigure[];
}

/** A performance target and the result of this run. */
export interface TargetResult {
  readonly text: string;
  readonly wanted: string;
  readonly found: number;
  /** Why the measurement was stopped early; the target is then not met. */
  readonly unfinished?: string;
  readonly met: boolean;
}

interface Target {
  readonly text: string;
  readonly atLeast?: number;
  readonly atMost?: number;
  /** Returns NaN if the value was not measured. */
  readonly value: (measured: Measured) => number;
  /** The name of the figure that the value comes from, if any. */
  readonly figure?: string;
}

/** A target for the value of a figure. */
function forFigure(name: string): Pick<Target, 'figure' | 'value'> {
  return { figure: name, value: (measured) => figureOf(measured, name)?.value ?? Number.NaN };
}

function figureOf({ figures }: Measured, name: string): MeasuredFigure | undefined {
  return figures.find((each) => each.name === name);
}

function at32({ results }: Measured, name: string): Result | undefined {
  return results.find((result) => result.name === name && result.connections === 32);
}

function forRatio(name: string, baseline: string): Pick<Target, 'text' | 'value'> {
  return {
    text: `${name}, relative to ${baseline.replace('baseline: ', '')}`,
    value: (measured) => ratioTo(measured, name, baseline, 32) ?? Number.NaN,
  };
}

// Reads are not included: they depend on the database as much, and with two processes it has no core of its own.
const scaled = ['two processes', 'two workers'].flatMap((variant) => [
  `mint ingress token, key of 4096 bits, ${variant}, relative to one`,
  `verify session, ${variant}, relative to one`,
]);

const targets: readonly Target[] = [
  { ...forRatio('read item, depth 1', 'baseline: express res.json'), atLeast: 2 },
  { ...forRatio('read item, depth 1', 'baseline: node:http'), atLeast: 0.3 },
  {
    text: 'read item, depth 1: p99, relative to the median',
    value: (measured) => {
      const read = at32(measured, 'read item, depth 1');
      return (read?.p99 ?? Number.NaN) / (read?.p50 ?? Number.NaN);
    },
    atMost: 5,
  },
  { ...forRatio('list page of 100', 'baseline: page, parsed and serialized'), atLeast: 2 },
  { ...forRatio('create with schema', 'baseline: INSERT'), atLeast: 0.6 },
  { ...forRatio('delete leaf', 'baseline: DELETE'), atLeast: 0.8 },
  { ...forRatio('replace', 'baseline: UPDATE spec'), atLeast: 0.6 },
  { ...forRatio('replace status', 'baseline: UPDATE status'), atLeast: 0.6 },
  ...['10,000', '100,000'].flatMap((size) =>
    ['wide', 'deep', 'crossing'].map((shape) => ({
      text: `cascade of ${size} rows, ${shape}, relative to one recursive DELETE`,
      ...forFigure(`collection time relative to baseline, ${size} rows, ${shape}`),
      atMost: 2,
    })),
  ),
  { text: 'commit to first row collected, ms', ...forFigure('commit to first row collected'), atMost: 50 },
  {
    text: 'run with 10,000 stuck tombstones, relative to none',
    ...forFigure('run with 10,000 stuck tombstones, relative to none'),
    atMost: 1.2,
  },
  ...['create with schema', 'replace', 'replace status'].map((name) => ({
    text: rateWithLog({ name }),
    ...forFigure(rateWithLog({ name })),
    atLeast: 0.7,
  })),
  { ...forRatio('kubernetes: get', 'read item, depth 1'), atLeast: 0.7 },
  { ...forRatio('kubernetes: list of 100', 'list page of 100'), atLeast: 0.7 },
  { ...forRatio('kubernetes: create', 'create with schema'), atLeast: 0.7 },
  ...(['read item', 'list page of 100'] as const).flatMap((way) => [
    {
      ...forRatio(accessCase(way, 'operator among bindings'), accessCase(way, 'no bindings')),
      atLeast: 0.95,
    },
    { ...forRatio(accessCase(way, 'bound user'), accessCase(way, 'no bindings')), atLeast: 0.9 },
  ]),
  ...informerWays.map((way) => ({
    text: `${informerFigure(way)}, ms`,
    ...forFigure(informerFigure(way)),
    atMost: 10_000,
  })),
  ...[kindsFigure, changesFigure].map((name) => ({ text: name, ...forFigure(name), atLeast: 0.8 })),
  { text: 'commit to event at a watcher, ms', ...forFigure('commit to event at a watcher'), atMost: 100 },
  { text: `${reconcileFigure}, ms`, ...forFigure(reconcileFigure), atMost: 100 },
  {
    text: 'API memory for 10,000 idle watchers, MB',
    ...forFigure('API memory for 10,000 idle watchers'),
    atMost: 200,
  },
  { text: idleTransactions, ...forFigure(idleTransactions), atMost: 1.5 },
  {
    text: 'commit to event at the last of 10,000 watchers, ms',
    ...forFigure('commit to event at the last of 10,000 watchers'),
    atMost: 1_000,
  },
  ...scaled.map((name) => ({ text: name, ...forFigure(name), atLeast: 1.7 })),
  { text: figureWithFreeDatabase, ...forFigure(figureWithFreeDatabase), atLeast: 1.6 },
  { text: 'API memory at rest, MB', ...forFigure('API memory at rest'), atMost: 120 },
  {
    text: 'API memory after mixed load, idle, MB',
    ...forFigure('API memory after mixed load, idle'),
    atMost: 150,
  },
  {
    text: 'API memory after 30 s of mixed load, relative to 20 s',
    ...forFigure('API memory after 30 s of mixed load, relative to 20 s'),
    atMost: 1.1,
  },
  { text: 'start to ready, ms', ...forFigure('start to ready'), atMost: 3_000 },
];

const growth = 'growth: ';
// Baselines are reported, but have no targets: they measure only the database.
const ofBaselines = /^growth: baseline: /;

/** The targets for growth: every case and figure that was measured on several table sizes. Memory must stay flat. */
function targetsOfGrowth({ figures }: Measured): readonly Target[] {
  return figures
    .filter(({ name }) => name.startsWith(growth) && !ofBaselines.test(name))
    .map(({ name }) => ({
      text: `${name.slice(growth.length)}: cost on the largest table, relative to the smallest`,
      ...forFigure(name),
      atMost: name.startsWith(`${growth}API memory`) ? 1.1 : 1.2,
    }));
}

/** Compares the results with the targets. Leaves out targets that were not measured. */
export function evaluateTargets(measured: Measured): readonly TargetResult[] {
  return [...targets, ...targetsOfGrowth(measured)].flatMap((target) => {
    const { text, atLeast, atMost, value } = target;
    const found = value(measured);
    if (Number.isNaN(found)) return [];
    const unfinished =
      target.figure === undefined ? undefined : figureOf(measured, target.figure)?.unfinished;
    const within = atLeast === undefined ? found <= (atMost ?? Number.POSITIVE_INFINITY) : found >= atLeast;
    const wanted = atLeast === undefined ? `≤ ${atMost}` : `≥ ${atLeast}`;
    if (unfinished !== undefined) return [{ text, wanted, found, unfinished, met: false }];
    return [{ text, wanted, found, met: within }];
  });
}
