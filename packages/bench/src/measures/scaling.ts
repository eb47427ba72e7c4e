import { generateKeyPairSync } from 'node:crypto';
import type { BenchCase } from '../cases/case.ts';
import { ingressToken } from '../cases/ingress-token.ts';
import { readItem } from '../cases/read-item.ts';
import { whoAmI } from '../cases/who-am-i.ts';
import type { Sample } from '../load/sample.ts';
import type { Served, Stage } from '../stage/stage.ts';
import { median } from '../statistics.ts';
import type { Figure, Measure } from './measure.ts';

// A signature of 4,096 bits takes some 2 ms: load generator and database, which share the two cores with the API, are small beside it.
const keyBits = 4_096;
const minting: BenchCase = { ...ingressToken, name: `mint ingress token, key of ${keyBits} bits` };
const subjects: readonly BenchCase[] = [minting, whoAmI, readItem(1)];

/** In all, so that one process and two get the same load. */
const connections = 64;

const ways = ['one process', 'two processes', 'two workers'] as const;
type Way = (typeof ways)[number];

/** What one way of serving an operation showed, in each turn. */
export type Samples = Readonly<Record<Way, readonly Pick<Sample, 'perSecond' | 'cpuMicros'>[]>>;

interface Plan {
  readonly turns: number;
  /** Of one measurement. */
  readonly seconds: number;
  /** Of the load before it, in seconds. */
  readonly warmUp: number;
}

/**
 * One API process on one core beside two on two: two programs that get the connections in turn, and one with `server.workers: 2`.
 * Nothing is measured where programs cannot be pinned: a single process would use more than a core.
 */
export function scaling(plan: Plan): Measure {
  return {
    name: 'scaling to two processes',
    once: true,
    async run(stage) {
      if (!stage.pinned) return [];
      const started: Served[] = [];
      const signing = { PLATFORM__SERVER__RS256_PRIVATE_KEY_PEM: JSON.stringify(newKey()) };
      const start = async (options: Parameters<Stage['startApi']>[0]) => {
        const api = await stage.startApi({ ...options, env: { ...signing, ...options?.env } });
        started.push(api);
        return api;
      };
      try {
        const one = await start({ cores: '0' });
        const served: Record<Way, Served> = {
          'one process': one,
          'two processes': together(one, await start({ cores: '1' })),
          'two workers': await start({ cores: '0,1', env: { PLATFORM__SERVER__WORKERS: '2' } }),
        };
        return await compare(stage, served, plan);
      } finally {
        await Promise.all(started.map((api) => api.stop()));
      }
    },
  };
}

function newKey(): string {
  const { privateKey } = generateKeyPairSync('rsa', { modulusLength: keyBits });
  return privateKey.export({ type: 'pkcs8', format: 'pem' }).toString();
}

/** Two programs as one: the load goes to both in turn, and what they use is added up. */
function together(a: Served, b: Served): Served {
  const cpuSeconds = () => {
    const [first, second] = [a.cpuSeconds(), b.cpuSeconds()];
    return first === undefined || second === undefined ? undefined : first + second;
  };
  return { ...a, urls: [...a.urls, ...b.urls], cpuSeconds };
}

async function compare(
  stage: Stage,
  served: Readonly<Record<Way, Served>>,
  { turns, seconds, warmUp }: Plan,
): Promise<readonly Figure[]> {
  const figures: Figure[] = [];
  for (const subject of subjects) {
    const samples: Record<Way, Sample[]> = { 'one process': [], 'two processes': [], 'two workers': [] };
    for (let turn = 0; turn <= turns; turn++) {
      // The first turn is the warm-up: each process has its own code to optimize.
      for (const way of ways) {
        const programs = { ...stage.programs, api: served[way] };
        const sample = await subject.run(
          { ...stage, programs },
          {
            connections,
            seconds: turn === 0 ? warmUp : seconds,
          },
        );
        if (turn > 0) samples[way].push(sample);
      }
    }
    figures.push(...figuresOf(subject.name, samples));
  }
  return figures;
}

/**
 * Rates in rates of one process; and what they would be if each process had a core for itself: a core is spent when its CPU time is,
 * so two of them do 2 / (CPU time of an operation), whatever load generator and database take on this machine.
 */
export function figuresOf(operation: string, samples: Samples): readonly Figure[] {
  const rate = (way: Way) => median(samples[way].map(({ perSecond }) => perSecond));
  const cpu = (way: Way) => median(samples[way].map(({ cpuMicros }) => cpuMicros ?? Number.NaN));
  return [
    ...ways.map((way): Figure => ({ name: `CPU of ${operation}, ${way}`, unit: 'µs', value: cpu(way) })),
    ...ways.slice(1).flatMap((way): Figure[] => [
      {
        name: `${operation}, ${way}, in rates of one`,
        unit: 'x',
        value: rate(way) / rate('one process'),
      },
      {
        name: `${operation}, ${way}, in rates of one by CPU time`,
        unit: 'x',
        value: (2 * cpu('one process')) / cpu(way),
      },
    ]),
  ].filter(({ value }) => !Number.isNaN(value));
}
