import { recordingLogger } from '@platform/development/testing';
import { StorageUnavailable } from '@platform/kernel';
import type { TickerLease, Ticks } from '../ports/ticks.ts';
import { Ticker } from './ticker.ts';

/** One thing that the ticker did, and when. */
type Step = readonly [at: number, what: string];

/**
 * Runs the ticker for so many milliseconds of a clock that only its pauses move. `written` are the times of commits, `held` says whether
 * the lease is its own at a time.
 */
async function run(
  untilMs: number,
  {
    written = [],
    held = () => true,
    failing = () => null,
    tickMs = 0,
  }: {
    readonly written?: readonly number[];
    readonly held?: (now: number) => boolean;
    readonly failing?: (now: number) => Error | null;
    readonly tickMs?: number;
  } = {},
) {
  const stopping = new AbortController();
  const logger = recordingLogger();
  const steps: Step[] = [];
  const pending = [...written];
  let now = 0;
  const did = (what: string) => {
    steps.push([now, what]);
    const failure = failing(now);
    if (failure !== null) throw failure;
  };
  const lease: TickerLease = {
    async acquire() {
      did('acquire');
      return { held: held(now), freeInMs: 400 };
    },
    release: async () => did('release'),
  };
  const ticks: Ticks = {
    verify: async () => did('verify'),
    async tick() {
      did('tick');
      now += tickMs;
      if ((pending[0] ?? Number.POSITIVE_INFINITY) > now) return 'idle';
      while ((pending[0] ?? Number.POSITIVE_INFINITY) <= now) pending.shift();
      return 'ticked';
    },
  };
  const sleep = async (milliseconds: number) => {
    now += milliseconds;
    if (now >= untilMs) stopping.abort();
  };
  await new Ticker({ lease, ticks, clock: { now: () => now }, logger, sleep, holder: 'here' }).run(
    stopping.signal,
  );
  const times = (what: string) => steps.filter(([, name]) => name === what).map(([at]) => at);
  return { steps, times, logger };
}

describe('the ticker', () => {
  it('looks every 100 ms while nobody writes, and every 25 ms for two seconds after a change', async () => {
    const { times } = await run(3_000, { written: [150] });
    const looks = times('tick');
    expect(looks.slice(0, 5)).toEqual([0, 100, 200, 225, 250]);
    expect(looks.filter((at) => at > 200 && at < 2_200)).toHaveLength(79);
    expect(looks.slice(-3)).toEqual([2_700, 2_800, 2_900]);
  });

  it('counts the time of a tick as part of the pause, so that a slow database is not asked less often', async () => {
    const { times } = await run(200, { written: [0, 50, 100, 150], tickMs: 20 });
    expect(times('tick').slice(0, 4)).toEqual([0, 25, 50, 75]);
  });

  it('renews its lease every three seconds, and compares the database each time before it ticks', async () => {
    const { times, steps } = await run(7_000);
    expect(times('acquire')).toEqual([0, 3_000, 6_000]);
    expect(times('verify')).toEqual([0, 3_000, 6_000]);
    expect(steps.slice(0, 3).map(([, what]) => what)).toEqual(['acquire', 'verify', 'tick']);
  });

  it('adds nothing while another process holds the lease, and asks again when that may end', async () => {
    const { times } = await run(2_000, { held: (now) => now >= 1_200 });
    expect(times('acquire')).toEqual([0, 400, 800, 1_200]);
    expect(times('tick')[0]).toBe(1_200);
  });

  it('goes on after a failure, asks for the lease again, and logs the beginning and the end', async () => {
    const failure = new StorageUnavailable('The database is away.');
    const { times, logger } = await run(65_000, {
      failing: (now) => (now > 500 && now < 63_000 ? failure : null),
    });
    expect(times('tick').at(-1)).toBeGreaterThan(64_000);
    expect(logger.lines).toEqual([
      {
        level: 'warn',
        message: 'change log: no tick could be added; trying again',
        fields: { reason: 'The database is away.' },
      },
      { level: 'info', message: 'change log: ticks are added again', fields: { seconds: 63 } },
    ]);
    expect(times('acquire').filter((at) => at < 5_000)).toEqual([0, 1_600, 2_600, 3_600, 4_600]);
  });

  it('logs a fault once a minute', async () => {
    const { logger } = await run(65_000, { failing: () => new TypeError('a bug') });
    expect(logger.lines.map(({ level }) => level)).toEqual(['error', 'error']);
  });

  it('gives the lease back when it is stopped', async () => {
    const { steps } = await run(300);
    expect(steps.at(-1)?.[1]).toBe('release');
  });
});
