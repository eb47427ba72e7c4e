import { generateKeyPairSync } from 'node:crypto';
import type { BenchCase, Sample } from '../bench-case.ts';
import { readItem, whoAmI } from '../cases/reads.ts';
import { ingressToken } from '../cases/tokens.ts';
import { type CpuLimit, limitCpu } from '../fixture/cpu-limit.ts';
import type { Fixture, ServedProgram } from '../fixture/fixture.ts';
import type { Program } from '../fixture/program.ts';
import { median, ratios } from '../statistics.ts';
import type { Figure, Measure } from './measure.ts';

// Signing with a long key makes the cost of the database negligible: with two API processes, PostgreSQL has no core of its own.
const keyBits = 4_096;
const minting: BenchCase = { ...ingressToken, name: `mint ingress token, key of ${keyBits} bits` };
const subjects: readonly BenchCase[] = [minting, whoAmI, readItem(1)];

const connectionsPerClient = 32;

/** The variant that all others are compared with. */
const one = 'one process';

/** The measured programs, by the name of the variant. */
type Served = Readonly<Record<string, ServedProgram>>;

/** The samples of each variant, one per round. */
type Samples = Readonly<Record<string, readonly Pick<Sample, 'perSecond' | 'cpuMicros'>[]>>;

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
        const single = await start({ cores: '0' });
        const workers = await start({ cores: '0,1', env: { PLATFORM__SERVER__WORKERS: '2' } });
        const served = {
          [one]: { ...single, clients: [first] },
          'two processes': { ...combine(single, await start({ cores: '1' })), clients },
          'two workers': { ...workers, clients },
        };
        return await compare(fixture, served, subjects, plan);
      } finally {
        await Promise.all(started.map((program) => program.stop()));
      }
    },
  };
}

/** The share of a core that each process may use where the database is not to be the limit. */
const share = 0.25;
const shared = 'two processes with a quarter of a core each';

/** The name of the ratio of {@link scalingWithFreeDatabase}. */
export const figureWithFreeDatabase = `read item, depth 1, ${shared}, relative to one`;

/**
 * Compares one API process with two when the database is not the limit: each process may use a quarter of a core, so that the database
 * and the client have cores to spare, as on machines of their own. Measures nothing where processes cannot be limited.
 */
export function scalingWithFreeDatabase(plan: ScalingPlan): Measure {
  return {
    name: 'scaling with a free database',
    once: true,
    async run(fixture) {
      const started: { readonly program: ServedProgram; readonly limit: CpuLimit | null }[] = [];
      const start = async () => {
        const program = await fixture.startApi();
        const limit = program.child.pid === undefined ? null : limitCpu(program.child.pid, share);
        started.push({ program, limit });
        return program;
      };
      const [first, second] = [await fixture.startClient('0,1'), await fixture.startClient('0,1')];
      try {
        const single = await start();
        const served = {
          [one]: { ...single, clients: [first] },
          [shared]: { ...combine(single, await start()), clients: [first, second] },
        };
        if (started.some(({ limit }) => limit === null)) return [];
        return await compare(fixture, served, [readItem(1)], plan);
      } finally {
        await Promise.all(
          [first, second, ...started.map(({ program }) => program)].map((each) => each.stop()),
        );
        for (const { limit } of started) limit?.remove();
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
  served: Served,
  cases: readonly BenchCase[],
  { rounds, seconds, warmUp }: ScalingPlan,
): Promise<readonly Figure[]> {
  const figures: Figure[] = [];
  const variants = Object.entries(served);
  for (const subject of cases) {
    const run = async (variant: string, api: ServedProgram, loadSeconds: number) => {
      const connections = connectionsPerClient * (api.clients?.length ?? 1);
      const programs = { ...fixture.programs, api };
      const sample = await subject.run({ ...fixture, programs }, { connections, seconds: loadSeconds });
      if (sample.failures > 0) throw new Error(`${subject.name}, ${variant}: ${sample.failures} failures`);
      return sample;
    };
    // Each process optimizes its own code.
    for (const [variant, api] of variants) await run(variant, api, warmUp);
    const samples = Object.fromEntries(variants.map(([variant]) => [variant, [] as Sample[]]));
    for (let round = 1; round <= rounds; round++) {
      for (const [variant, api] of round % 2 === 0 ? variants : [...variants].reverse())
        samples[variant]?.push(await run(variant, api, seconds));
    }
    figures.push(...figuresOf(subject.name, samples));
  }
  return figures;
}

/** The CPU time of an operation, summed over all API processes, and the rate relative to one process, round by round. */
export function figuresOf(operation: string, samples: Samples): readonly Figure[] {
  const variants = Object.keys(samples);
  const rates = (variant: string) => samples[variant]?.map(({ perSecond }) => perSecond) ?? [];
  const cpu = (variant: string) =>
    median(samples[variant]?.map(({ cpuMicros }) => cpuMicros ?? Number.NaN) ?? []);
  return [
    ...variants.map(
      (variant): Figure => ({ name: `CPU of ${operation}, ${variant}`, unit: 'µs', value: cpu(variant) }),
    ),
    ...variants
      .filter((variant) => variant !== one)
      .map(
        (variant): Figure => ({
          name: `${operation}, ${variant}, relative to one`,
          unit: 'x',
          value: median(ratios(rates(variant), rates(one))),
        }),
      ),
  ].filter(({ value }) => !Number.isNaN(value));
}
