import { generateKeyPairSync } from 'node:crypto';
import type { BenchCase } from '../cases/case.ts';
import { ingressToken } from '../cases/ingress-token.ts';
import { readItem } from '../cases/read-item.ts';
import { whoAmI } from '../cases/who-am-i.ts';
import type { Sample } from '../load/sample.ts';
import type { Program } from '../stage/program.ts';
import type { Served, Stage } from '../stage/stage.ts';
import { median, ratios } from '../statistics.ts';
import type { Figure, Measure } from './measure.ts';

// A signature of 4,096 bits takes some 2 ms: the database, which one process leaves a core for and two do not, is small beside it.
const keyBits = 4_096;
const minting: BenchCase = { ...ingressToken, name: `mint ingress token, key of ${keyBits} bits` };
const subjects: readonly BenchCase[] = [minting, whoAmI, readItem(1)];

/** Of each client. */
const connections = 32;

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
 * One core beside two: one API process with its client, and two with a client each, once as two programs and once as one with `server.workers: 2`.
 * A client takes the same part of each core, so it is no limit that two cores meet and one does not. Nothing is measured where programs cannot be
 * pinned: a single process would use more than a core.
 */
export function scaling(plan: Plan): Measure {
  return {
    name: 'scaling to two processes',
    once: true,
    async run(stage) {
      if (!stage.pinned) return [];
      const started: Program[] = [];
      const noted = <P extends Program>(program: P): P => {
        started.push(program);
        return program;
      };
      const signing = { PLATFORM__SERVER__RS256_PRIVATE_KEY_PEM: JSON.stringify(newKey()) };
      const start = async (options: Parameters<Stage['startApi']>[0]) =>
        noted(await stage.startApi({ ...options, env: { ...signing, ...options?.env } }));
      try {
        const first = noted(await stage.startClient('0'));
        const clients = [first, noted(await stage.startClient('1'))];
        const one = await start({ cores: '0' });
        const workers = await start({ cores: '0,1', env: { PLATFORM__SERVER__WORKERS: '2' } });
        const served: Record<Way, Served> = {
          'one process': { ...one, clients: [first] },
          'two processes': { ...together(one, await start({ cores: '1' })), clients },
          'two workers': { ...workers, clients },
        };
        return await compare(stage, served, plan);
      } finally {
        await Promise.all(started.map((program) => program.stop()));
      }
    },
  };
}

function newKey(): string {
  const { privateKey } = generateKeyPairSync('rsa', { modulusLength: keyBits });
  return privateKey.export({ type: 'pkcs8', format: 'pem' }).toString();
}

/** Two programs as one: each has a client of its own, and what they use is added up. */
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
      for (const way of turn % 2 === 0 ? ways : [...ways].reverse()) {
        const api = served[way];
        const load = {
          connections: connections * (api.clients?.length ?? 1),
          seconds: turn === 0 ? warmUp : seconds,
        };
        const sample = await subject.run({ ...stage, programs: { ...stage.programs, api } }, load);
        if (sample.failures > 0) throw new Error(`${subject.name}, ${way}: ${sample.failures} failures`);
        if (turn > 0) samples[way].push(sample);
      }
    }
    figures.push(...figuresOf(subject.name, samples));
  }
  return figures;
}

/** CPU time of an operation, all processes of the API added up, and rates in rates of one process, turn by turn. */
export function figuresOf(operation: string, samples: Samples): readonly Figure[] {
  const rates = (way: Way) => samples[way].map(({ perSecond }) => perSecond);
  const cpu = (way: Way) => median(samples[way].map(({ cpuMicros }) => cpuMicros ?? Number.NaN));
  return [
    ...ways.map((way): Figure => ({ name: `CPU of ${operation}, ${way}`, unit: 'µs', value: cpu(way) })),
    ...ways.slice(1).map(
      (way): Figure => ({
        name: `${operation}, ${way}, in rates of one`,
        unit: 'x',
        value: median(ratios(rates(way), rates('one process'))),
      }),
    ),
  ].filter(({ value }) => !Number.isNaN(value));
}
