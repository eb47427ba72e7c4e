import type { MeasuredFigure } from './measures/run.ts';
import { type Result, ratioTo } from './rounds.ts';

/** What was measured in one run. */
export interface Measured {
  readonly results: readonly Result[];
  readonly figures: readonly MeasuredFigure[];
}

/** A promise of the platform about its speed, and what this run says to it. */
export interface Verdict {
  readonly text: string;
  readonly wanted: string;
  readonly found: number;
  /** Why there is no more than this; such a target is not met. */
  readonly unfinished?: string;
  readonly met: boolean;
}

interface Target {
  readonly text: string;
  readonly atLeast?: number;
  readonly atMost?: number;
  /** NaN when it was not measured. */
  readonly value: (measured: Measured) => number;
  /** The figure that it is, when it is one; it may be unfinished. */
  readonly figure?: string;
}

/** The value of a figure. */
function figure(name: string): Pick<Target, 'figure' | 'value'> {
  return { figure: name, value: (measured) => figureOf(measured, name)?.value ?? Number.NaN };
}

function figureOf({ figures }: Measured, name: string): MeasuredFigure | undefined {
  return figures.find((each) => each.name === name);
}

function at32({ results }: Measured, name: string): Result | undefined {
  return results.find((result) => result.name === name && result.connections === 32);
}

function ratio(name: string, floor: string): Pick<Target, 'text' | 'value'> {
  return {
    text: `${name}, in rates of ${floor.replace('floor: ', '')}`,
    value: (measured) => ratioTo(measured, name, floor, 32) ?? Number.NaN,
  };
}

// Not of reads, which are as much the database's as the API's: one process leaves a core to it, two do not.
const scaled = ['two processes', 'two workers'].flatMap((way) => [
  `mint ingress token, key of 4096 bits, ${way}, in rates of one`,
  `verify session, ${way}, in rates of one`,
]);

const targets: readonly Target[] = [
  { ...ratio('read item, depth 1', 'floor: express res.json'), atLeast: 2 },
  { ...ratio('read item, depth 1', 'floor: node:http'), atLeast: 0.3 },
  {
    text: 'read item, depth 1: p99 in medians',
    value: (measured) => {
      const read = at32(measured, 'read item, depth 1');
      return (read?.p99 ?? Number.NaN) / (read?.p50 ?? Number.NaN);
    },
    atMost: 5,
  },
  { ...ratio('list page of 100', 'floor: page, parsed and serialized'), atLeast: 2 },
  { ...ratio('create with schema', 'floor: INSERT'), atLeast: 0.6 },
  { ...ratio('replace', 'floor: UPDATE spec'), atLeast: 0.6 },
  { ...ratio('replace status', 'floor: UPDATE status'), atLeast: 0.6 },
  ...['wide', 'deep', 'crossing'].map((shape) => ({
    text: `cascade of 100,000 rows, ${shape}, in times of a recursive DELETE`,
    ...figure(`collected in times of the floor, 100,000 rows, ${shape}`),
    atMost: 3,
  })),
  { text: 'commit to first row collected, ms', ...figure('commit to first row collected'), atMost: 50 },
  {
    text: 'sweep with 10,000 stuck tombstones, in times without',
    ...figure('sweep with 10,000 stuck tombstones, in times without'),
    atMost: 1.2,
  },
  ...scaled.map((name) => ({ text: name, ...figure(name), atLeast: 1.7 })),
  { text: 'API memory at rest, MB', ...figure('API memory at rest'), atMost: 120 },
  {
    text: 'API memory after 30 s of mixed load, in times of that after 20 s',
    ...figure('API memory after 30 s of mixed load, in times of that after 20 s'),
    atMost: 1.1,
  },
  { text: 'start to ready, ms', ...figure('start to ready'), atMost: 3_000 },
];

const growth = 'growth: ';
// What the database alone does, the tree of a floor included: it is shown, and no promise of the platform.
const ofFloors = /^growth: floor: /;

/** Whatever grew with the table has a target; memory is to be flat. */
function targetsOfGrowth({ figures }: Measured): readonly Target[] {
  return figures
    .filter(({ name }) => name.startsWith(growth) && !ofFloors.test(name))
    .map(({ name }) => ({
      text: `${name.slice(growth.length)}: cost on the largest table in costs on the smallest`,
      ...figure(name),
      atMost: name.startsWith(`${growth}API memory`) ? 1.1 : 1.3,
    }));
}

/** Judges what was measured; what was not is left out. */
export function judge(measured: Measured): readonly Verdict[] {
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
