import { generateKeyPairSync } from 'node:crypto';
import type { BenchCase, Sample } from '../bench-case.ts';
import { readItem, whoAmI } from '../cases/reads.ts';
import { ingressToken } from '../cases/tokens.ts';
import type { Fixture, ServedProgram } from '../fixture/fixture.ts';
import type { Program } from '../fixture/program.ts';
import { median, ratios } from '../statistics.ts';
import type { Figure, Measure } from './measure.ts';

// Signing with a long key makes the cost of the database negligible: with two API processes, PostgreSQL has no core of its own.
const keyBits = 4_096;
const minting: BenchCase = { ...ingressToken, name: `mint ingress token, key of ${keyBits} bits` };
const subjects: readonly BenchCase[] = [minting, whoAmI, readItem(1)];

const connectionsPerClient = 32;

const variants = ['one process', 'two processes', 'two workers'] as const;
type Variant = (typeof variants)[number];

/** The samples of each variant, one per round. */
type Samples = Readonly<Record<Variant, readonly Pick<Sample, 'perSecond' | 'cpuMicros'>[]>>;

interface ScalingPlan {
  readonly rounds: number;
  /** The length of one measurement. */
  readonly seconds: number;
  /** The length of the load before the first measurement, in seconds. */
  readonly warmUp: number;
}

/**
 * Compares one core with two: one API process with one client, two API processes with a client each, and one with `server.workers: 2`. Each
 * core runs one client, so that the clients take the same share in every variant. Measures nothing if programs cannot be pinned,
 * because a single process would then use more than one core.
 */
export function scaling(plan: ScalingPlan): Measure {
  return {
    name: 'scaling to two processes',
    once: true,
    async run(fixture) {
      if (!fixture.pinned) return [];
      const started: Program[] = [];
      const track = <P extends Program>(program: P): P => {
        started.push(program);
        return program;
      };
      const signing = { PLATFORM__SERVER__RS256_PRIVATE_KEY_PEM: JSON.stringify(newKey()) };
      const start = async (options: Parameters<Fixture['startApi']>[0]) =>
        track(await fixture.startApi({ ...options, env: { ...signing, ...options?.env } }));
      try {
        const first = track(await fixture.startClient('0'));
        const clients = [first, track(await fixture.startClient('1'))];
        const one = await start({ cores: '0' });
        const workers = await start({ cores: '0,1', env: { PLATFORM__SERVER__WORKERS: '2' } });
        const served: Record<Variant, ServedProgram> = {
          'one process': { ...one, clients: [first] },
          'two processes': { ...combine(one, await start({ cores: '1' })), clients },
          'two workers': { ...workers, clients },
        };
        return await compare(fixture, served, plan);
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

/** Combines two programs: the load goes to both, and their CPU times are added. */
function combine(a: ServedProgram, b: ServedProgram): ServedProgram {
  const cpuSeconds = () => {
    const [first, second] = [a.cpuSeconds(), b.cpuSeconds()];
    return first === undefined || second === undefined ? undefined : first + second;
  };
  return { ...a, urls: [...a.urls, ...b.urls], cpuSeconds };
}

async function compare(
  fixture: Fixture,
  served: Readonly<Record<Variant, ServedProgram>>,
  { rounds, seconds, warmUp }: ScalingPlan,
): Promise<readonly Figure[]> {
  const figures: Figure[] = [];
  for (const subject of subjects) {
    const samples: Record<Variant, Sample[]> = { 'one process': [], 'two processes': [], 'two workers': [] };
    for (let round = 0; round <= rounds; round++) {
      // Round 0 is the warm-up: each process optimizes its own code.
      for (const variant of round % 2 === 0 ? variants : [...variants].reverse()) {
        const api = served[variant];
        const load = {
          connections: connectionsPerClient * (api.clients?.length ?? 1),
          seconds: round === 0 ? warmUp : seconds,
        };
        const sample = await subject.run({ ...fixture, programs: { ...fixture.programs, api } }, load);
        if (sample.failures > 0) throw new Error(`${subject.name}, ${variant}: ${sample.failures} failures`);
        if (round > 0) samples[variant].push(sample);
      }
    }
    figures.push(...figuresOf(subject.name, samples));
  }
  return figures;
}

/** The CPU time of an operation, summed over all API processes, and the rate relative to one process, round by round. */
export function figuresOf(operation: string, samples: Samples): readonly Figure[] {
  const rates = (variant: Variant) => samples[variant].map(({ perSecond }) => perSecond);
  const cpu = (variant: Variant) => median(samples[variant].map(({ cpuMicros }) => cpuMicros ?? Number.NaN));
  return [
    ...variants.map(
      (variant): Figure => ({ name: `CPU of ${operation}, ${variant}`, unit: 'µs', value: cpu(variant) }),
    ),
    ...variants.slice(1).map(
      (variant): Figure => ({
        name: `${operation}, ${variant}, relative to one`,
        unit: 'x',
        value: median(ratios(rates(variant), rates('one process'))),
      }),
    ),
  ].filter(({ value }) => !Number.isNaN(value));
}
