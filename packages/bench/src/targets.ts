import type { MeasuredFigure } from './measures/run.ts';
import type { Result } from './rounds.ts';

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
  readonly met: boolean;
}

interface Target {
  readonly text: string;
  readonly atLeast?: number;
  readonly atMost?: number;
  /** NaN when it was not measured. */
  readonly value: (measured: Measured) => number;
}

const rate = (name: string) => (measured: Measured) => at32(measured, name)?.perSecond ?? Number.NaN;
const figure = (name: string) => (measured: Measured) =>
  measured.figures.find((each) => each.name === name)?.value ?? Number.NaN;

function at32({ results }: Measured, name: string): Result | undefined {
  return results.find((result) => result.name === name && result.connections === 32);
}

function ratio(name: string, floor: string): Pick<Target, 'text' | 'value'> {
  return {
    text: `${name}, in rates of ${floor.replace('floor: ', '')}`,
    value: (measured) => rate(name)(measured) / rate(floor)(measured),
  };
}

const grown = [
  'read item, depth 1',
  'read item by uid',
  'list page of 100',
  'create with schema',
  'replace',
  'replace status',
];

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
    value: figure(`collected in times of the floor, 100,000 rows, ${shape}`),
    atMost: 3,
  })),
  ...grown.map((name) => ({
    text: `${name}: cost on the largest table in costs on the smallest`,
    value: figure(`growth: ${name}`),
    atMost: 1.3,
  })),
  { text: 'commit to first row collected, ms', value: figure('commit to first row collected'), atMost: 50 },
  {
    text: 'sweep with 10,000 stuck tombstones, in times without',
    value: figure('sweep with 10,000 stuck tombstones, in times without'),
    atMost: 1.2,
  },
  { text: 'API memory at rest, MB', value: figure('API memory at rest'), atMost: 120 },
  { text: 'start to ready, ms', value: figure('start to ready'), atMost: 3_000 },
];

/** Judges what was measured; what was not is left out. */
export function judge(measured: Measured): readonly Verdict[] {
  return targets.flatMap(({ text, atLeast, atMost, value }) => {
    const found = value(measured);
    if (Number.isNaN(found)) return [];
    const met = atLeast === undefined ? found <= (atMost ?? Number.POSITIVE_INFINITY) : found >= atLeast;
    return [{ text, wanted: atLeast === undefined ? `≤ ${atMost}` : `≥ ${atLeast}`, found, met }];
  });
}
