import { parseArgs } from 'node:util';

/** What to measure, and for how long. */
export interface Options {
  /** Connections at which HTTP and SQL cases run. */
  readonly connections: readonly number[];
  readonly rounds: number;
  /** Of one measurement. */
  readonly seconds: number;
  /** Of the load before a case is measured for the first time, in seconds: until V8 has optimized its code. */
  readonly warmUp: number;
  /** The short run: every measure beside the cases once, and those that take longest not at all. */
  readonly quick: boolean;
  /** Rows in the table before anything is measured. */
  readonly rows: number;
  /** Rows of the cascades. */
  readonly trees: readonly number[];
  /** Table sizes of the growth part, ascending; when there are any, only that part runs. */
  readonly growth: readonly number[];
  /** Only cases whose name contains one of these; empty means all. */
  readonly only: readonly string[];
  /** A directory for CPU profiles, one a case; undefined leaves them out. */
  readonly profile: string | undefined;
  /** Where results go: `results.json`, `growth.json` of the growth part, and the charts beside them. */
  readonly out: string;
  /** Writes the results into the documentation. */
  readonly document: boolean;
  /** Empty databases to measure on, in a growth run one for each size; none means embedded ones. */
  readonly databaseUrls: readonly string[];
}

export const usage = `pnpm bench [options]
  --quick             32 connections, small trees, other measures once: under three minutes
  --connections 1,32  connections to measure at          (1,8,32,128)
  --rounds 3          rounds, interleaved                (3; quick: 2)
  --seconds 2         of each measurement                (2; quick: 0.7)
  --warm-up 2         seconds of load before a case  (2; quick: 1)
  --rows 100000       rows in the table                  (100000)
  --trees 10000       rows of the cascades               (10000,100000)
  --growth            instead of everything else: how costs grow from 10,000 to 1,000,000 rows; a quarter of an hour
  --sizes 10000,...   rows of the growth part            (10000,100000,1000000)
  --only read,create  cases whose name contains one of these
  --profile           a CPU profile for each case, in <out>/profiles
  --out directory     where results go                   (.platform/bench)
  --document          also write docs/performance/
  --database-url url  an empty PostgreSQL instead of the embedded one; with --growth one for each size
`;

const fewestRows = 10_000;

const numbers = (text: string) => text.split(',').map(Number);

/** Throws a TypeError for an unknown option, and a RangeError for a number that is none. */
export function readOptions(args: readonly string[]): Options | 'help' {
  const { values } = parseArgs({
    args: [...args].filter((arg) => arg !== '--'),
    options: {
      quick: { type: 'boolean', default: false },
      connections: { type: 'string' },
      rounds: { type: 'string' },
      seconds: { type: 'string' },
      'warm-up': { type: 'string' },
      rows: { type: 'string' },
      trees: { type: 'string' },
      growth: { type: 'boolean', default: false },
      sizes: { type: 'string', default: '10000,100000,1000000' },
      only: { type: 'string', default: '' },
      profile: { type: 'boolean', default: false },
      out: { type: 'string', default: '.platform/bench' },
      document: { type: 'boolean', default: false },
      'database-url': { type: 'string', multiple: true, default: [] },
      help: { type: 'boolean', default: false },
    },
  });
  if (values.help) return 'help';
  const { quick, growth } = values;
  const options: Options = {
    connections: numbers(values.connections ?? (quick ? '32' : '1,8,32,128')),
    rounds: Number(values.rounds ?? (quick ? 2 : 3)),
    seconds: Number(values.seconds ?? (quick ? 0.7 : 2)),
    warmUp: Number(values['warm-up'] ?? (quick ? 1 : 2)),
    quick,
    rows: Number(values.rows ?? (quick ? 20_000 : 100_000)),
    trees: numbers(values.trees ?? (quick ? '10000' : '10000,100000')),
    growth: growth ? numbers(values.sizes) : [],
    only: values.only.split(',').filter((word) => word !== ''),
    profile: values.profile ? `${values.out}/profiles` : undefined,
    out: values.out,
    document: values.document,
    databaseUrls: values['database-url'],
  };
  const { connections, rounds, seconds, warmUp, rows, trees } = options;
  if (![...connections, rounds, seconds, warmUp, rows, ...trees].every((value) => value > 0)) {
    throw new RangeError('connections, rounds, seconds, warm-up, rows and trees are positive numbers');
  }
  if (Math.min(rows, ...options.growth) < fewestRows) {
    throw new RangeError(
      `the table has ${fewestRows} rows at least: 100 items below each of 100 roots are read`,
    );
  }
  const wanted = Math.max(1, options.growth.length);
  if (![0, wanted].includes(options.databaseUrls.length)) {
    throw new RangeError(`this run takes a --database-url for each of its databases: ${wanted}, all empty`);
  }
  return options;
}
